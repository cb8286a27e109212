;; Escapes bytes of UTF-8 by a table that says what each byte becomes: itself, or up to eight other bytes.
;; Sixteen bytes at a time are copied and looked at. Only what JSON may have to escape stops the copying: control
;; characters, the quote and the backslash. The caller leaves sixteen bytes of room behind the output.
(module
  (memory (export "memory") 16)

  ;; From `from` up to `to`, to `out` on; the table has eight bytes for each byte, then the 256 lengths. Gives the end
  ;; of the output.
  (func (export "escape") (param $from i32) (param $to i32) (param $out i32) (param $table i32) (result i32)
    (local $lengths i32) (local $block v128) (local $special i32) (local $byte i32)
    (local.set $lengths (i32.add (local.get $table) (i32.const 2048)))
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
        (i64.store (local.get $out)
          (i64.load (i32.add (local.get $table) (i32.shl (local.get $byte) (i32.const 3)))))
        (local.set $out (i32.add (local.get $out)
          (i32.load8_u (i32.add (local.get $lengths) (local.get $byte)))))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br $next)))
    (local.get $out)))
