(* Short passages of the paper that follow from what stands elsewhere: values as the solution of a linear system, an index
   between rewards, the index policy of the most optimistic bandit, the moments of one length and of the longest. *)

From kernel Require Import Limits Sums Values Bandits Horizon Horizons Moments Gittins Episodes Maximiser Laws LawOfRun Known.
From kernel Require Import MbUcrl2.

(* The values of a policy solve V = r + beta P V, and nothing else does: I - beta P is invertible.
   ledger: eq:exact_value *)
Theorem linear_system (A S : finType) (beta : R) (M : model A S) (pi : policy A S) (W : state A S -> R) :
  is_discount beta -> markovian M ->
  (forall x, W x = reward M (pi x) (x (pi x)) + beta * mean (P M (pi x) x) W) <-> (forall x, W x = V beta M pi x).
Proof.
move=> discount hM; split=> h x.
  by symmetry; apply: (V_unique discount hM) => y; rewrite -mean_P; exact: h.
rewrite h (V_bellman discount hM) mean_P; congr (_ + _ * _); apply: mean_ext => y; symmetry; exact: h.
Qed.

(* Playing an arm of largest index in a most optimistic bandit of the set is a most optimistic policy.
   ledger: eq:EVI/optimal-policy/repair *)
Theorem index_policy_is_most_optimistic (A S : finType) (O : Type) (next : O -> S) (pays : O -> R) (beta : R)
    (rho : global A S -> R) (guess_reward : history A S O -> cell A S -> R)
    (guess_row : history A S O -> cell A S -> S -> R) (K : nat)
    (h : history A S O) :
  is_discount beta -> probability rho -> (forall o, 0 <= pays o <= 1) ->
  (forall h c, 0 <= guess_reward h c <= 1) -> (forall h c, probability (guess_row h c)) -> (0 < #|A|)%nat ->
  let in_set M := plausible_bandit (known next pays guess_reward guess_row K h) M in
  exists M, in_set M /\ forall gamma (pi : policy A S),
    (forall a s, gittins_index beta (reward M a) (row M a) s (gamma a s)) -> plays_largest_index gamma pi ->
    (forall x pi', V beta M pi' x <= V beta M pi x) /\
    forall M' (pi' : policy A S), in_set M' -> mean rho (V beta M' pi') <= mean rho (V beta M pi).
Proof.
move=> discount rho_ok unit reward_ok row_ok A1 in_set.
have [M [best [hM top]]] := best_pair_exists discount rho_ok A1 (known_in_set next unit reward_ok row_ok K h).
exists M; split=> // gamma pi index largest; have [u [markov _]] := hM.
have opt x pi' : V beta M pi' x <= V beta M pi x.
  by have [o _] := gittins_policy_is_optimal discount markov index largest x; exact: o.
split=> // M' pi' hM'; apply: Rle_trans (top M' pi' hM') _.
by apply: mean_le => x; [exact: (proj1 rho_ok) | exact: opt].
Qed.

(* A state's index is at least its reward, and at most the largest reward of the arm.
   ledger: thm:no_OFU/A2 *)
Theorem index_between (S : finType) (beta : R) (r : S -> R) (Q : S -> S -> R) (s : S) (gamma top : R) :
  is_discount beta -> (forall s, probability (Q s)) -> gittins_index beta r Q s gamma -> (forall y, r y <= top) ->
  r s <= gamma <= top.
Proof.
by move=> discount rows; exact: index_range.
Qed.

(* The moment of the longest of K lengths is at most K times that of one.
   ledger: lem:moment/small-K/sum *)
Theorem longest_at_most_sum (beta : R) (K : nat) (alpha : R) : is_discount beta ->
  moment beta K alpha <= INR K * moment beta 1 alpha.
Proof.
move=> discount; have one i : 0 <= max_is beta 1 i.+1 by exact: max_is_nonneg.
have term i : max_is beta K i.+1 <= INR K * max_is beta 1 i.+1.
  have := one i; rewrite /max_is [i.+1.-1]/= !G_closed !pow_1; have := power_range discount i; have := power_range discount i.+1.
  set u := 1 - beta ^ i; set v := 1 - beta ^ i.+1 => hv hu uv.
  have [u0 [v0 v1]] : 0 <= u <= v /\ 0 <= v <= 1 by rewrite /u /v in uv *; lra.
  case: (K) => [|k]; first by rewrite /=; lra.
  have [_ slope] := power_convex k u0; apply: Rle_trans slope _; apply: Rmult_le_compat_r; first lra.
  have := pow_incr v 1 k (conj v0 v1); rewrite pow1 => vk.
  by rewrite -[X in _ <= X]Rmult_1_r; apply: Rmult_le_compat_l; [exact: pos_INR | exact: vk].
have K0 : 0 <= INR K by exact: pos_INR.
have power i : 0 <= rpower (INR i.+1) alpha.
  by rewrite rpower_pos; [left; exact: exp_pos | exact: INR_pos].
have [_ below] := moment_series 1 alpha discount; apply: (moment_of discount) => N.
apply: Rle_trans (Rmult_le_compat_l _ _ _ K0 (below N)); rewrite -sum_to_scale.
apply: sum_to_le => i _; have := term i; have := power i; nra.
Qed.
