/** What has everything that one of a union has. */
export type All<One> = (One extends unknown ? (it: One) => void : never) extends (it: infer Every) => void
  ? Every
  : never;
