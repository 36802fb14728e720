;; Wants the computer's files.
(component (import "wasi:filesystem/types@0.2.6" (instance)))
