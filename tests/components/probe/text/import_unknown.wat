;; Wants what nobody knows.
(component (import "evil:thing/x@1.0.0" (instance)))
