(* The prelude with Coquelicot's limits, series and derivatives. *)

From kernel Require Export Prelude.
From Coquelicot Require Export Coquelicot.
