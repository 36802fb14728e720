;; Wants to change records, and declares that it reads.
(component (import "ensemble:hub/change@0.1.0" (instance)))
