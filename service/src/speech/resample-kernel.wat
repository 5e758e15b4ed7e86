;; Inner loop of `SimdFilter`: a dot product in four lanes for each output sample, like that of PolyphaseResampler in
;; JavaScript. `service/build.mjs` writes it to resample-kernel.generated.ts.
(module
  ;; One page of 64 KiB; `SimdFilter` grows it for the filter.
  (memory (export "memory") 1)

  ;; Computes `count` output samples.
  ;;
  ;; Positions and sizes are in bytes. `rows` are the filter's coefficients (float32); each row has `row` bytes, a
  ;; multiple of 32. `input` is the first tap of the first output (float32), `output` the samples (int16). `phase` is
  ;; the position of the first output between two input samples, in units of 1 / `up`. From one output to the next, the
  ;; position advances by `step` bytes of input and `turn` units.
  (func (export "resample")
    (param $rows i32) (param $row i32) (param $input i32) (param $output i32) (param $count i32)
    (param $phase i32) (param $up i32) (param $step i32) (param $turn i32)
    (local $c i32) (local $h i32) (local $end i32) (local $sample i32)
    (local $even v128) (local $odd v128)
    (if (i32.eqz (local.get $count)) (then (return)))
    (loop $outputs
      (local.set $c (i32.add (local.get $rows) (i32.mul (local.get $phase) (local.get $row))))
      (local.set $end (i32.add (local.get $c) (local.get $row)))
      (local.set $h (local.get $input))
      (local.set $even (v128.const f32x4 0 0 0 0))
      (local.set $odd (v128.const f32x4 0 0 0 0))
      ;; Two sums: additions to a single one would have to wait for each other.
      (loop $taps
        (local.set $even (f32x4.add (local.get $even)
          (f32x4.mul (v128.load (local.get $c)) (v128.load (local.get $h)))))
        (local.set $odd (f32x4.add (local.get $odd)
          (f32x4.mul (v128.load offset=16 (local.get $c)) (v128.load offset=16 (local.get $h)))))
        (local.set $h (i32.add (local.get $h) (i32.const 32)))
        (local.set $c (i32.add (local.get $c) (i32.const 32)))
        (br_if $taps (i32.lt_u (local.get $c) (local.get $end))))
      (local.set $even (f32x4.add (local.get $even) (local.get $odd)))
      ;; Round and clamp to 16 bits.
      (local.set $sample (i32.trunc_sat_f32_s (f32.nearest (f32.add
        (f32.add (f32x4.extract_lane 0 (local.get $even)) (f32x4.extract_lane 1 (local.get $even)))
        (f32.add (f32x4.extract_lane 2 (local.get $even)) (f32x4.extract_lane 3 (local.get $even)))))))
      (if (i32.gt_s (local.get $sample) (i32.const 32767)) (then (local.set $sample (i32.const 32767))))
      (if (i32.lt_s (local.get $sample) (i32.const -32768)) (then (local.set $sample (i32.const -32768))))
      (i32.store16 (local.get $output) (local.get $sample))
      (local.set $output (i32.add (local.get $output) (i32.const 2)))
      (local.set $input (i32.add (local.get $input) (local.get $step)))
      (local.set $phase (i32.add (local.get $phase) (local.get $turn)))
      (if (i32.ge_u (local.get $phase) (local.get $up))
        (then
          (local.set $phase (i32.sub (local.get $phase) (local.get $up)))
          (local.set $input (i32.add (local.get $input) (i32.const 4)))))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $outputs (local.get $count)))))
