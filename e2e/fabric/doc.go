// Package fabric makes hosts on one machine: network namespaces with addresses
// of their own, joined by a switch, with links of a known rate. Programs run on
// them as they would on real hosts, except that processors, memory, disks and
// process numbers are shared. It takes Linux, root, ip and tc.
package fabric
