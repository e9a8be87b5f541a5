// Package schedule holds the one definition of every collective algorithm:
// which rank moves which chunk to whom, in which round, and the proof that it
// adds up.
//
// A Schedule is a flat list of steps. Lessons draw it, the cost model prices
// it and the engine executes it; none of them has a second definition. Build
// makes one from a Request through the catalogue, Check proves any schedule,
// ours or imported, right or names the step that is wrong, Walk plays it
// symbolically, Interpret plays it on real data, Compile cuts it into one
// Program per rank, and Traffic counts what it moves.
//
// Rules that hold everywhere (Check enforces them):
//
//   - Buffers: In is never written, Out holds exactly the result, Tmp is
//     scratch. See Collective.InChunks and OutChunks.
//   - All steps of a round see the state before it; no chunk is both read and
//     written in one round. Rounds count from 1. A round with only local steps
//     (Src == Dst) carries a number but is not counted.
//   - A reduce combines into a chunk that held something before the round.
//   - Deps of a step: for each chunk it touches, on that rank, the last earlier
//     writer; for each chunk it writes also the readers since then.
//
// Adding an algorithm is one builder file and one catalogue entry.
package schedule
