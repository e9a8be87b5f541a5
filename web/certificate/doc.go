// Package certificate keeps the certificate that a console shows to browsers
// and programs: one from files, which is read again when they change, or one
// that the console has made and signed itself, which people compare by its
// fingerprint.
package certificate
