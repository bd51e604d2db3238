(* The prelude with the measures and integrals of mathcomp-analysis. *)

From kernel Require Export Prelude.
From mathcomp Require Export ssralg ssrnum ssrint interval finmap.
From mathcomp.classical Require Export boolp classical_sets functions cardinality mathcomp_extra fsbigop.
From mathcomp Require Export signed reals ereal topology normedtype sequences esum measure lebesgue_measure numfun lebesgue_integral Rstruct.
Export Order.TTheory GRing.Theory Num.Theory.
