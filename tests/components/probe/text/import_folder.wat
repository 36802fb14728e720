;; Wants the working folder, which its world does not have.
(component (import "ensemble:workspace/folder@0.1.0" (instance)))
