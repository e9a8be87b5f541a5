package present

import (
	"errors"
	"net/url"
	"slices"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/engine/trace"
	"lockstep/views"
	"lockstep/views/locale"
	"lockstep/web/account"
)

// Cluster is the machines of a console as they stand.
type Cluster struct {
	Machine    inventory.Node // the console's own
	LocalRanks int
	Listening  bool // agents can join
	Members    []inventory.Member
	Links      []inventory.Link
	Probing    *inventory.Probing // nil for none
	Running    []trace.Run        // under way
	Seq        string             // names this state
	Wrong      error              // what could not be done, nil for nothing
	Now        time.Time
}

// nodesPath is the page of the nodes below the language.
const nodesPath = "nodes"

func (f Frame) nodesURL(parts ...string) string {
	address := f.homeURL() + nodesPath
	for _, part := range parts {
		address += "/" + url.PathEscape(part)
	}
	return address
}

// keeps reports whether whoever looks may change nodes.
func (f Frame) keeps() bool { return f.Actor.Role.May(account.Admin) }

// Nodes presents the machines that carry out runs.
func Nodes(f Frame, c Cluster) views.Nodes {
	l := f.Locale
	v := views.Nodes{
		Page:  f.page(l.T("nodes.title")),
		Lead:  nodesLead(l, c),
		Cards: []views.NodeCard{ownCard(f, c)},
		Links: nodeLinks(f, c),
	}
	for i, m := range c.Members {
		v.Cards = append(v.Cards, memberCard(f, c, i, m))
	}
	if c.Listening {
		v.Live = &views.NodesLive{Poll: f.nodesURL("changes"), Seq: c.Seq}
		if f.keeps() {
			v.Add = &views.RunAction{URL: f.nodesURL("invite"), Label: l.T("nodes.add")}
		}
	}
	if len(c.Members) == 0 || !c.Listening {
		v.Attach = attach(f, c)
	}
	switch {
	case c.Wrong == nil:
	case errors.Is(c.Wrong, inventory.ErrNoNode):
		v.Wrong = l.T("nodes.wrong.gone")
	case errors.Is(c.Wrong, inventory.ErrNodeInUse):
		v.Wrong = l.T("nodes.wrong.connected")
	default:
		v.Wrong = l.T("nodes.wrong", locale.Values{"Reason": c.Wrong.Error()})
	}
	return v
}

// nodesLead says how the machines stand, in one line.
func nodesLead(l locale.Locale, c Cluster) string {
	if len(c.Members) == 0 {
		return l.T("nodes.lead.alone")
	}
	var parts []string
	for _, standing := range standings {
		count := 0
		for _, m := range c.Members {
			if m.Standing == standing.of {
				count++
			}
		}
		if count > 0 {
			parts = append(parts, l.T(standing.count, locale.Values{"Count": count}))
		}
	}
	return l.T("nodes.lead", locale.Values{"Standings": joined(l, parts)})
}

// joined lists words with the language's comma.
func joined(l locale.Locale, words []string) string {
	if len(words) == 0 {
		return ""
	}
	text := words[0]
	for _, word := range words[1:] {
		text = l.T("nodes.list", locale.Values{"First": text, "Next": word})
	}
	return text
}

// runOn returns the run that is under way on a node, the console's own machine
// for an empty name; nil for none.
func runOn(f Frame, c Cluster, name string) *views.NodeRun {
	for _, r := range c.Running {
		here := name == "" && len(r.NodeNames) == 0 || name != "" && slices.Contains(r.NodeNames, name)
		if here {
			return &views.NodeRun{
				Text: f.Locale.T("nodes.run", locale.Values{"ID": r.ID, "What": describeRun(f.Locale, r)}),
				URL:  f.runURL(r.ID),
			}
		}
	}
	return nil
}

// Invite presents a join token, once.
func Invite(f Frame, i inventory.Invitation) views.NodeInvite {
	l := f.Locale
	return views.NodeInvite{
		Page:    f.page(l.T("nodes.invite")),
		Lead:    l.T("nodes.invite.lead"),
		Expires: l.T("nodes.invite.expires", locale.Values{"When": when(i.Expires)}),
		BackURL: f.nodesURL(),
		Steps: []views.RunTodo{
			{Text: l.T("nodes.invite.install", locale.Values{"Version": f.Version})},
			{Text: l.T("nodes.invite.run"), Command: elsewhere("agent", "--join "+i.Address, "--token-file -")},
			{Text: l.T("nodes.invite.token"), Command: views.Command{i.Token}},
			{Text: l.T("nodes.invite.later"), Command: elsewhere("agent", "--join "+i.Address)},
		},
	}
}

// elsewhere is a command line of the console on another machine, whose folders
// this one does not know.
func elsewhere(words ...string) views.Command {
	return append(views.Command{"console " + words[0]}, words[1:]...)
}

// attach says how another machine comes to be a node.
func attach(f Frame, c Cluster) *views.NodeAttach {
	l := f.Locale
	switch {
	case !c.Listening:
		return &views.NodeAttach{
			Title: l.T("nodes.closed"),
			Lines: []string{l.T("nodes.closed.text")},
			Steps: []views.RunTodo{
				{Text: l.T("nodes.closed.serve"), Command: f.command("serve", "--agent-listen 0.0.0.0:8444")},
				{Text: l.T("nodes.closed.next")},
			},
		}
	case !f.keeps():
		return &views.NodeAttach{Title: l.T("nodes.empty"), Lines: []string{l.T("nodes.empty.viewer")}}
	}
	return &views.NodeAttach{
		Title: l.T("nodes.empty"),
		Lines: []string{l.T("nodes.empty.text")},
		Steps: []views.RunTodo{
			{Text: l.T("nodes.empty.token"), Command: f.command("token create", "--kind join")},
			{Text: l.T("nodes.empty.agent"), Command: elsewhere("agent", "--join ADDRESS", "--token-file -")},
		},
	}
}

// NodeQuestion asks before a node is revoked or forgotten; false for any other
// change, and for a node that is not there.
func NodeQuestion(f Frame, c Cluster, node string, change inventory.Change) (views.NodeQuestion, bool) {
	l := f.Locale
	ask, known := questions[change]
	if !known || !slices.ContainsFunc(c.Members, func(m inventory.Member) bool { return m.Name == node }) {
		return views.NodeQuestion{}, false
	}
	name := locale.Values{"Name": node}
	q := views.NodeQuestion{
		Page:    f.page(l.T(ask.title, name)),
		Title:   l.T(ask.title, name),
		Lines:   []string{l.T(ask.text)},
		Act:     views.RunAction{URL: f.nodesURL(node, string(change)), Label: l.T(ask.do)},
		BackURL: f.nodesURL(),
	}
	for _, r := range c.Running {
		if slices.Contains(r.NodeNames, node) {
			q.Lines = append(q.Lines, l.T("nodes.question.run", locale.Values{"ID": r.ID}))
		}
	}
	return q, true
}
