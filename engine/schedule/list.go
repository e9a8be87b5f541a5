package schedule

// Listing is the catalogue as a document: what `console schedule list --json`
// prints and GET /api/v1/schedules answers.
type Listing struct {
	Version int    `json:"version"`
	Pairs   []Pair `json:"pairs"`
}

// Pair is an Entry as a document. Closed forms are text in n, S, k and G.
type Pair struct {
	Collective Collective `json:"collective"`
	Algorithm  string     `json:"algorithm"`
	Ranks      struct {
		Min int `json:"min"`
		Max int `json:"max"`
	} `json:"ranks"`
	Rooted     bool   `json:"rooted"`
	Executable bool   `json:"executable"`
	Rounds     string `json:"rounds"`
	Messages   string `json:"messages"`
	Sent       string `json:"bytes_sent_per_rank"`
	Received   string `json:"bytes_received_per_rank"`
	When       string `json:"when"`
}

// List returns the catalogue in its own order.
func List() Listing {
	entries := Catalog()
	l := Listing{Version: 1, Pairs: make([]Pair, len(entries))}
	for i, e := range entries {
		l.Pairs[i] = Pair{
			Collective: e.Collective, Algorithm: e.Algorithm, Rooted: e.Collective.Rooted(), Executable: e.Executable,
			Rounds: e.Rounds.String(), Messages: e.Messages.String(), Sent: e.Sent.String(), Received: e.Received.String(), When: e.When,
		}
		l.Pairs[i].Ranks.Min, l.Pairs[i].Ranks.Max = e.MinRanks, e.MaxRanks
	}
	return l
}
