package present

import (
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/cost"
	"lockstep/views"
)

// questions are what to ask, in the order in which one asks.
func (p *customerPage) questions(base sizing.Estimate) []views.CustomerQuestion {
	all := []views.CustomerQuestion{
		p.askModel(), p.askCards(), p.askNetwork(), p.askBatch(), p.askSharding(base), p.askEven(base), p.askHow(base), p.askLog(base),
	}
	for i := range all {
		all[i].Number, all[i].URL = strconv.Itoa(i+1), "#"+all[i].ID
	}
	return all
}

func (p *customerPage) askModel() views.CustomerQuestion {
	return views.CustomerQuestion{
		ID: "model", Ask: p.t("customer.model"), Why: p.t("customer.model.line"), Lesson: p.lesson(schedule.AllReduce, "ring"),
		Answers: []views.CustomerAnswer{
			p.answer("customer.model.small", "customer.model.small.text", customerBase()),
			p.answer("customer.model.large", "customer.model.large.text", customerStep("llama3-70b", 8, "roce-200", customerMillions)),
		},
	}
}

func (p *customerPage) askCards() views.CustomerQuestion {
	return views.CustomerQuestion{
		ID: "cards", Ask: p.t("customer.cards"), Why: p.t("customer.cards.line"), Lesson: p.show(centralServerPath, "story.title"),
		Answers: []views.CustomerAnswer{
			p.answer("customer.bar.few", "customer.cards.text", customerStep("llama3-8b", 2, "roce-200", customerMillions)),
			p.answer("customer.bar.many", "customer.cards.many.text", customerStep("llama3-8b", 16, "roce-200", customerMillions)),
		},
	}
}

func (p *customerPage) askNetwork() views.CustomerQuestion {
	return views.CustomerQuestion{
		ID: "network", Ask: p.t("customer.network"), Why: p.t("customer.network.line"), Lesson: p.show(bandwidthPath+"#per-node", "bandwidth.title"),
		Answers: []views.CustomerAnswer{
			p.answer("customer.bar.slow", "customer.network.text", customerStep("llama3-8b", 8, "infiniband-100", customerMillions)),
			p.answer("customer.bar.fast", "customer.network.text", customerStep("llama3-8b", 8, "infiniband-400", customerMillions)),
		},
	}
}

func (p *customerPage) askBatch() views.CustomerQuestion {
	return views.CustomerQuestion{
		ID: "batch", Ask: p.t("customer.batch"), Why: p.t("customer.batch.line"), Lesson: p.show(centralServerPath, "story.title"),
		Answers: []views.CustomerAnswer{
			p.answer("customer.batch.large", "customer.batch.text", customerBase()),
			p.answer("customer.batch.small", "customer.batch.small.text", customerStep("llama3-8b", 8, "roce-200", customerMillions/4)),
		},
	}
}

// askSharding holds one all-reduce against what fully sharded training sends:
// the weights twice by all-gather, the gradients once by reduce-scatter.
func (p *customerPage) askSharding(base sizing.Estimate) views.CustomerQuestion {
	gather, scatter := p.priced(schedule.AllGather, base), p.priced(schedule.ReduceScatter, base)
	state := unit.Bytes(base.Step.Parameters * sizing.StateBytes)
	sharded := []any{
		"Time", sizeTime(2*gather + scatter), "Ratio", significant(float64((2*gather+scatter)/base.Times.Ring), 2),
		"State", sizeBytes(state), "Each", sizeBytes(state / unit.Bytes(max(base.Workers, 1))), "Cards", base.Workers,
	}
	return views.CustomerQuestion{
		ID: "sharding", Ask: p.t("customer.sharding"), Why: p.t("customer.sharding.line"), Lesson: p.lesson(schedule.ReduceScatter, "ring"),
		Answers: []views.CustomerAnswer{
			p.answer("customer.sharding.whole", "customer.sharding.whole.text", base.Step, "State", sizeBytes(state)),
			{Name: p.t("customer.sharding.cut"), Text: p.t("customer.sharding.cut.text", sharded...)},
		},
	}
}

// askEven holds even machines against one that computes a fifth longer.
func (p *customerPage) askEven(base sizing.Estimate) views.CustomerQuestion {
	const slower = 1.2
	own := computing(base)
	uneven := []any{"More", "20%", "Slow", sizeTime(slower * own), "Step", sizeTime(slower*own + base.Times.Ring), "Wait", sizeTime((slower - 1) * own), "Others", base.Workers - 1}
	return views.CustomerQuestion{
		ID: "even", Ask: p.t("customer.even"), Why: p.t("customer.even.line"), Lesson: p.lesson(schedule.Barrier, "dissemination"), Slip: p.t("customer.even.slip"),
		Answers: []views.CustomerAnswer{
			p.answer("customer.even.same", "customer.even.same.text", base.Step, "Step", sizeTime(own+base.Times.Ring)),
			{Name: p.t("customer.even.one"), Text: p.t("customer.even.one.text", uneven...), Size: p.sized(base.Step)},
		},
	}
}

func (p *customerPage) askHow(base sizing.Estimate) views.CustomerQuestion {
	central := []any{"OneWay", sizeTime(base.Times.OneWay), "Both", sizeTime(base.Times.Central), "Step", sizeTime(base.Times.Central + computing(base)),
		"Ratio", significant(float64((base.Times.Central+computing(base))/(base.Times.Ring+computing(base))), 2)}
	return views.CustomerQuestion{
		ID: "how", Ask: p.t("customer.how"), Why: p.t("customer.how.line"), Lesson: p.show(racePath, "customer.show.race"),
		Answers: []views.CustomerAnswer{
			p.answer("customer.how.central", "customer.how.central.text", base.Step, central...),
			p.answer("customer.how.ring", "customer.how.ring.text", base.Step, "Step", sizeTime(base.Times.Ring+computing(base))),
		},
	}
}

// askLog holds a measured bus bandwidth against none: the interval of the model
// becomes a figure.
func (p *customerPage) askLog(base sizing.Estimate) views.CustomerQuestion {
	const reached = 0.8
	bus := reached * base.Step.Fabric.Bandwidth
	measured := cost.ThroughputAtBus(schedule.AllReduce, base.Workers, base.Size, bus)
	low, high := base.Times.Ring, base.Times.Ring
	for _, c := range base.Costs {
		if c.Algorithm == "ring" {
			low, high = c.Low, c.High
		}
	}
	return views.CustomerQuestion{
		ID: "log", Ask: p.t("customer.log"), Why: p.t("customer.log.line"), Lesson: p.show(bandwidthPath, "bandwidth.title"),
		Answers: []views.CustomerAnswer{
			{
				Name: p.t("customer.log.yes"), Text: p.t("customer.log.yes.text", "Bus", bus.String(), "Share", shareText(reached), "Time", sizeTime(measured.Time)),
				Size: views.LessonLink{URL: p.calculator(base, bus), Name: p.t("customer.log.convert")},
			},
			p.answer("customer.log.no", "customer.log.no.text", base.Step, "Range", sizeRange(low, high)),
		},
	}
}
