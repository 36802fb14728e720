;; Wants to call the tools of another plugin.
(component (import "ensemble:tools/tools@0.1.0" (instance)))
