// Package sim plays any schedule in cost time: it says when every message
// leaves and arrives on a network of a given latency and bandwidth.
//
// The rules:
//
//   - A message is all steps of one (round, source, destination). Its bytes
//     occupy the sender's sending port and the receiver's receiving port for
//     bytes/B; then it takes α to be delivered, during which both ports are
//     free. A port carries one message at a time.
//   - A message may leave when the dependencies on its source's rank are met; a
//     delivered step is applied when those on its destination's rank are.
//   - Ready messages are served in ascending id: a free sender takes the lowest
//     whose receiver is free.
//   - Local steps and adding up cost nothing.
//   - A multicast occupies its source's port once and every receiver's, a
//     net-reduce every source's and the receiver's once; it starts when all of
//     them are free. A rank's own share in either passes no port.
//   - With σ slices every message leaves in σ parts, one after the other. Part
//     j waits for part j of what it depends on, where the schedule allows
//     (schedule.After.Sliced), else for all of it. α delays every part and is
//     paid once, as parts follow each other without a gap. On an edge parts
//     leave in the order of messages; of edges that share a port, the one with
//     the lowest part, then the lowest id, goes first: that is how an executor
//     with one stream per edge shares a port.
//
// With a Fabric the ranks sit on nodes: latency and bandwidth differ within and
// across, and messages share NICs and uplinks.
//
// On the flat network at σ = 1 the times are those of the closed forms of package cost. Chunks have
// their real lengths, which may differ by one element.
package sim
