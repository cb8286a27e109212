;; Reads the bytes of a JSON string: copies them, and writes for each escape of one letter the byte that it means.
;; Sixteen bytes at a time are copied and looked at. It stops at the end of the string, and at what it does not know:
;; other escapes, one that is cut off, and control characters. The caller leaves sixteen bytes of room behind the output.
(module
  (memory (export "memory") 3)
  ;; Where the output of the last call ends.
  (global $end (export "end") (mut i32) (i32.const 0))

  ;; From `from` up to `to`, to `out` on; the table has for each byte what it means behind a backslash, 0 where nothing.
  ;; Gives where it stopped.
  (func (export "unescape") (param $from i32) (param $to i32) (param $out i32) (param $table i32) (result i32)
    (local $block v128) (local $special i32) (local $byte i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $from) (local.get $to)))
        (if (i32.le_u (i32.add (local.get $from) (i32.const 16)) (local.get $to))
          (then
            (local.set $block (v128.load (local.get $from)))
            (v128.store (local.get $out) (local.get $block))
            (local.set $special (i8x16.bitmask
              (v128.or
                (i8x16.lt_u (local.get $block) (i8x16.splat (i32.const 0x20)))
                (v128.or
                  (i8x16.eq (local.get $block) (i8x16.splat (i32.const 0x22)))
                  (i8x16.eq (local.get $block) (i8x16.splat (i32.const 0x5c)))))))
            ;; A bit beyond the last one: all sixteen are ordinary.
            (local.set $special (i32.ctz (i32.or (local.get $special) (i32.const 0x10000))))
            (local.set $from (i32.add (local.get $from) (local.get $special)))
            (local.set $out (i32.add (local.get $out) (local.get $special)))
            (br_if $next (i32.eq (local.get $special) (i32.const 16)))))
        (local.set $byte (i32.load8_u (local.get $from)))
        (if (i32.eq (local.get $byte) (i32.const 0x5c))
          (then
            (br_if $done (i32.ge_u (i32.add (local.get $from) (i32.const 1)) (local.get $to)))
            (local.set $byte (i32.load8_u (i32.add (local.get $table)
              (i32.load8_u (i32.add (local.get $from) (i32.const 1))))))
            (br_if $done (i32.eqz (local.get $byte)))
            (local.set $from (i32.add (local.get $from) (i32.const 1))))
          (else
            (br_if $done (i32.lt_u (local.get $byte) (i32.const 0x20)))
            (br_if $done (i32.eq (local.get $byte) (i32.const 0x22)))))
        (i32.store8 (local.get $out) (local.get $byte))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (local.set $out (i32.add (local.get $out) (i32.const 1)))
        (br $next)))
    (global.set $end (local.get $out))
    (local.get $from)))
