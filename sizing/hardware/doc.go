// Package hardware reads descriptions of accelerators, links and networks as
// people write them ("8x H100 SXM", "NVLink4 NVSwitch", "RoCE dual 100G") and
// says what they are: the kind of link within a scale-up domain and its rate,
// the kind of network and its rate. What a text does not tell is taken from
// what is usual for the accelerator, and said to be.
package hardware
