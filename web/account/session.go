package account

import "time"

// SessionLifetime is how long a session lasts, counted from its opening; using
// it does not prolong it. A week covers a course; a fresh key is one command
// away.
const SessionLifetime = 7 * 24 * time.Hour
