(* What every file begins with: the real numbers of the standard library and mathcomp's finite types. *)

From Coq Require Export Reals Psatz.
From mathcomp Require Export all_ssreflect.

#[export] Set Implicit Arguments.
#[export] Unset Strict Implicit.
#[export] Unset Printing Implicit Defensive.
