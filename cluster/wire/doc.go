// Package wire is what console and agents say to each other.
//
// An agent dials the console's agent listener: TLS 1.3, where the agent accepts
// exactly the console whose authority's key it knows by its Pin. Both ends then
// speak in frames: a length of four bytes, at most a limit that the reader sets
// before it allocates, and a JSON document.
//
//	agent     Greeting  who it is and what for
//	console   Answer    or why not: a Refusal
//
// To join, an agent without a certificate sends the join token's secret and a
// certificate request in its Greeting; the Answer holds the certificate, and the
// connection ends. To connect, it shows that certificate in the handshake and
// adds a Hello to the Greeting; after the Answer, its Welcome, the connection
// carries streams (Session). The console opens them, and each begins with a frame
// that names its kind, which the agent accepts or refuses. One of them is the
// control stream: both ends say every BeatInterval how things stand, and who has
// heard nothing for Silence gives the other up.
package wire
