// Package inventory says what a machine offers: its processor, memory and
// network ports. A fact that the system does not tell is absent, never
// guessed. Accelerators are not looked for yet, hence have no field.
package inventory
