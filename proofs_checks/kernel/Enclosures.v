(* Bounds on closed expressions with logarithms and roots, by interval arithmetic on integers: Coq-interval's method
   over the standard library's Z, so that nothing is assumed of machine numbers. *)

From Coq Require Import Reals List.
From Interval.Float Require Specific_ops Specific_stdz.
From Interval.Interval Require Float_full.
From Interval.Eval Require Reify.
From Interval.Tactics Require Interval_helper.

Module IntegerFloats := Specific_ops.SpecificFloat Specific_stdz.StdZRadix2.
Module Intervals := Float_full.FloatIntervalFull IntegerFloats.
Module Method := Interval_helper.IntervalTacticAux Intervals.

(* Proves an inequality or an enclosure of a closed real expression. *)
Ltac enclose :=
  Reify.massage_goal; Reify.reify_full (@nil R);
  apply (Method.eval_bisect_correct (IntegerFloats.PtoP 80%positive) 0%nat (@nil nat));
  vm_cast_no_check (eq_refl true).
