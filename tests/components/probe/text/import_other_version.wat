;; Wants a version of the contract that is not served.
(component (import "ensemble:hub/read@9.0.0" (instance)))
