;; Counts line ends, sixteen bytes at a time.
(module
  (memory (export "memory") 16 16)

  ;; How many there are from `at` up to `to`, which is one block of sixteen bytes further on, or several.
  (func (export "count") (param $at i32) (param $to i32) (result i32)
    (local $found i32)
    (loop $next
      (local.set $found (i32.add (local.get $found)
        (i32.popcnt (i8x16.bitmask
          (i8x16.eq (v128.load (local.get $at)) (i8x16.splat (i32.const 0x0a)))))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $to))))
    (local.get $found)))
