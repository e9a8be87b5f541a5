// Package site answers for a customer's cluster: equal nodes of a system of the
// catalogue, or figures of one's own, and the network between them.
//
// An Ask says what is known; Describe completes it and keeps, for every figure,
// where it comes from (Figure). A Desk prices one collective on the site
// (Study): what a vendor's library takes there by what others measured, with
// interval, grade and the nearest measured runs; what every algorithm of the
// catalogue takes by its closed form on one port a rank; what changes if the
// network changes (Change); and from which oversubscription on a training step
// communicates longer than it computes (Even). A site without a system has
// nothing measured beside it and is priced by the closed forms alone. Where logs
// of the customer's own machine are kept, its times rest on them (Logs).
//
// docs/formulas.md derives what NICs, rails and oversubscription do. Everything
// here is a function of its input; nothing is read from the disk or the clock.
package site
