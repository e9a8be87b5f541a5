package msccl

import (
	"errors"
	"strings"
	"testing"
)

// small is a file of two gpus, a tag a line.
const small = `<?xml version="1.0"?>
<algo name="two" proto="LL" nchannels="1" nchunksperloop="2" ngpus="2" coll="allgather" inplace="0" outofplace="1">
  <gpu id="0" i_chunks="1" o_chunks="2" s_chunks="0">
    <tb id="0" send="1" recv="1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
    <tb id="1" send="-1" recv="-1" chan="0">
      <step s="0" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="0" deps="0" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="1" i_chunks="1" o_chunks="2" s_chunks="0">
    <tb id="0" send="0" recv="0" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="2" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
</algo>
`

func TestMalformedFilesAreRefusedWithTheirLine(t *testing.T) {
	if _, err := Import(strings.NewReader(small)); err != nil {
		t.Fatal(err)
	}
	// The n-th occurrence of old becomes new.
	change := func(old, new string, n int) string {
		parts := strings.SplitAfterN(small, old, n+1)
		if len(parts) < n+1 {
			t.Fatalf("%q is not there %d times", old, n)
		}
		last := len(parts) - 2
		parts[last] = strings.TrimSuffix(parts[last], old) + new
		return strings.Join(parts, "")
	}
	for name, test := range map[string]struct {
		text string
		line int
		code string
		want string
	}{
		"empty":                   {"", 1, Unreadable, "the file is empty; accepted: <algo>"},
		"blank":                   {" \n ", 1, Unreadable, "the file is empty; accepted: <algo>"},
		"no XML":                  {"hello", 1, Unreadable, "text \"hello\" between the tags"},
		"text after returns":      {"\r\r\rhello", 1, Unreadable, "text \"hello\" between the tags"},
		"another root":            {"<gpu/>", 1, Unreadable, "<gpu> at the top; accepted: <algo>"},
		"cut in a tag":            {small[:strings.Index(small, `dstoff="1" cnt`)], 6, Unreadable, "the file ends inside <tb>"},
		"cut between tags":        {small[:strings.Index(small, "  <gpu id=\"1\"")], 12, Unreadable, "the file ends inside <algo>; accepted: all tags ended"},
		"wrong end tag":           {change("</tb>", "</gpu>", 1), 7, Unreadable, "</gpu> ends nothing; accepted: </tb>"},
		"end tag too many":        {change("</algo>", "</algo></algo>", 1), 19, Unreadable, "</algo> ends nothing; accepted: no end tag"},
		"broken syntax":           {change(`cnt="1"`, `cnt=1`, 2), 6, Unreadable, "accepted: well-formed XML"},
		"unknown entity":          {change(`type="r"`, `type="&r;"`, 1), 6, Unreadable, "entity"},
		"another encoding":        {change(`version="1.0"`, `version="1.0" encoding="latin1"`, 1), 1, Unreadable, "UTF-8"},
		"text between tags":       {change("</tb>", "\nhello</tb>", 1), 8, Unreadable, "text \"hello\" between the tags; accepted: tags only"},
		"name space":              {change(`<tb id="1"`, `<x:tb id="1"`, 1), 8, Unreadable, "name space"},
		"wrong nesting":           {change(`<tb id="1"`, `<step id="1"`, 1), 8, Unreadable, "<step> inside <gpu>; accepted: <tb>"},
		"something in a step":     {change(`hasdep="0"/>`, `hasdep="0"><x/></step>`, 2), 6, Unreadable, "<x> inside <step>; accepted: nothing inside"},
		"two algos":               {small + "<algo/>", 20, Unreadable, "<algo> behind </algo>; accepted: one <algo>"},
		"no coll":                 {change(`coll="allgather" `, ``, 1), 2, Unreadable, "<algo> has no coll; accepted: allreduce, allgather"},
		"unsupported coll":        {change(`allgather`, `alltonext`, 1), 2, Unreadable, `coll="alltonext"; accepted: allreduce, allgather, reducescatter, alltoall, broadcast, reduce, gather, scatter`},
		"no gpus":                 {change(`ngpus="2" `, ``, 1), 2, Unreadable, "<algo> has no ngpus; accepted: 1 to 1024"},
		"too many gpus":           {change(`ngpus="2"`, `ngpus="1025"`, 1), 2, Unreadable, `ngpus="1025"; accepted: 1 to 1024`},
		"chunks that do not fit":  {change(`loop="2"`, `loop="3"`, 1), 2, Unreadable, "accepted for allgather: a multiple of the 2 gpus"},
		"too many chunks":         {change(`loop="2"`, `loop="99999999"`, 1), 2, Unreadable, "accepted: 1 to 4194304"},
		"in place is no number":   {change(`inplace="0"`, `inplace="no"`, 1), 2, Unreadable, `inplace="no"; accepted: 0 to 1`},
		"gpu out of range":        {change(`gpu id="1"`, `gpu id="2"`, 1), 12, Unreadable, `id="2"; accepted: 0 to 1`},
		"gpu twice":               {change(`gpu id="1"`, `gpu id="0"`, 1), 12, Unreadable, "gpu 0 again, after line 3; accepted: every gpu once"},
		"gpu missing":             {small[:strings.Index(small, "  <gpu id=\"1\"")] + "</algo>", 2, Unreadable, "gpu 1 of 2 is missing"},
		"no s_chunks":             {change(` s_chunks="0"`, ``, 1), 3, Unreadable, "<gpu> has no s_chunks"},
		"much scratch":            {change(`s_chunks="0"`, `s_chunks="16777216"`, 1), 3, "size", "more than 16777216 chunks"},
		"block twice":             {change(`tb id="1"`, `tb id="0"`, 1), 8, Unreadable, "thread block 0 of gpu 0 again, after line 4"},
		"block missing":           {change(`tb id="1"`, `tb id="2"`, 1), 3, Unreadable, "has no thread block 1, but a later one"},
		"sends to itself":         {change(`send="1"`, `send="0"`, 1), 4, Unreadable, `send="0" is the gpu itself; accepted: another gpu, or -1`},
		"peer out of range":       {change(`recv="1"`, `recv="2"`, 1), 4, Unreadable, `recv="2"; accepted: -1 to 1`},
		"channel out of range":    {change(`chan="0"`, `chan="-1"`, 1), 4, Unreadable, `chan="-1"; accepted: 0 to 1023`},
		"s out of turn":           {change(` s="1"`, ` s="2"`, 1), 6, Unreadable, `s="2"; accepted: 1, the next of its thread block`},
		"unknown type":            {change(`type="r"`, `type="ra"`, 1), 6, Unreadable, `type="ra"; accepted: s, r, rcs, rrs, rrc, rrcs, cpy, re, nop`},
		"sends without a peer":    {change(`type="cpy"`, `type="s"`, 1), 9, Unreadable, `type="s" sends, but its thread block has send="-1"`},
		"receives without a peer": {change(`type="cpy"`, `type="r"`, 1), 9, Unreadable, `type="r" receives, but its thread block has recv="-1"`},
		"unknown buffer":          {change(`srcbuf="i"`, `srcbuf="t"`, 2), 6, Unreadable, `srcbuf="t"; accepted: i, o, s`},
		"no count":                {change(` cnt="1"`, ``, 2), 6, Unreadable, "<step> has no cnt"},
		"count of nothing":        {change(`cnt="1"`, `cnt="0"`, 2), 6, Unreadable, `cnt="0"; accepted: 1 to`},
		"attribute twice":         {change(`cnt="1"`, `cnt="1" cnt="2"`, 2), 6, Unreadable, "<step> has cnt twice"},
		"offset out of range":     {change(`dstoff="1"`, `dstoff="2"`, 1), 6, Unreadable, "1 chunks from o[2] on of gpu 0; accepted: within its 2"},
		"offset is no number":     {change(`dstoff="1"`, `dstoff="one"`, 1), 6, Unreadable, `dstoff="one"; accepted: 0 to`},
		"dependency on no block":  {change(`depid="0"`, `depid="2"`, 1), 9, Unreadable, `depid="2"; accepted: a thread block of gpu 0, 0 to 1, or -1`},
		"dependency on no step":   {change(`deps="0"`, `deps="2"`, 1), 9, Unreadable, `deps="2"; thread block 0 of gpu 0 has 2 steps`},
		"half a dependency":       {change(`deps="0"`, `deps="-1"`, 1), 9, Unreadable, `deps="-1" with depid="0"`},
		"send without receive":    {change(`type="r"`, `type="nop"`, 2), 5, "unmatched", "step 0 of thread block 0 of gpu 0 sends what gpu 1 never receives over channel 0; accepted: a receive for every send"},
		"receive without send":    {change(`type="s"`, `type="nop"`, 2), 6, "unmatched", "step 1 of thread block 0 of gpu 0 receives what gpu 1 never sends"},
		"another channel":         {change(`chan="0"`, `chan="1"`, 3), 6, "unmatched", "never sends over channel 0"},
		"unequal counts":          {change(`cnt="1"`, `cnt="2"`, 5), 15, "unequal-counts", "receives 2 chunks where line 5 sends 1"},
		"waits for itself":        {change(`depid="0" deps="0"`, `depid="1" deps="0"`, 1), 9, "deadlock", "step 0 of thread block 1 of gpu 0 (line 9), which waits for the first"},
		"circle":                  {strings.Replace(change(`depid="-1" deps="-1"`, `depid="1" deps="0"`, 1), `depid="0" deps="0"`, `depid="0" deps="1"`, 1), 5, "deadlock", "step 0 of thread block 0 of gpu 0 (line 5) waits for step 0 of thread block 1 of gpu 0 (line 9) waits for step 1 of thread block 0 of gpu 0 (line 6), which waits for the first"},
		"reads nothing":           {change(`type="s" srcbuf="i"`, `type="s" srcbuf="o"`, 1), 5, "missing-data", "step 0 of thread block 0 of gpu 0 reads o[0] of gpu 0, which holds nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Import(strings.NewReader(test.text))
			var bad *Error
			if !errors.As(err, &bad) {
				t.Fatalf("%v, want an error of line %d", err, test.line)
			}
			if bad.Line != test.line || bad.Code != test.code || !strings.Contains(bad.Message, test.want) {
				t.Errorf("%s: %v; want line %d, %s: %q", bad.Code, bad, test.line, test.code, test.want)
			}
			if strings.Contains(bad.Error(), "\n") {
				t.Errorf("more than one line: %q", bad.Error())
			}
		})
	}
}
