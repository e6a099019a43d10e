/// How integer operators round.
public enum Numerics: String, Sendable, Hashable, CaseIterable {
  /// Requantisation in floating point: at most one quantisation step from the reference, in few elements.
  case fast
  /// The reference kernels' own fixed-point rounding, and their order of sums in floating point where later operators quantise:
  /// integers are equal to the last bit. Slower; for verification.
  case bitExact = "bit-exact"
}

/// What may be traded for speed in floating-point models.
public enum Precision: String, Sendable, Hashable, CaseIterable {
  /// Float32 throughout.
  case full
  /// Products of float32 tensors with constant weights round both to bfloat16, which keeps 8 significant bits, and sum in float32, where the
  /// processor has instructions for that (AVX-512 BF16): up to twice as fast. Elsewhere, and for everything else, as `full`;
  /// `CompiledModel.precision` tells. Not with `Numerics.bitExact`.
  case reduced
}

/// How a model is compiled and run.
public struct RuntimeOptions: Sendable, Hashable {
  /// The most threads one run uses, the caller's included. Results do not depend on it.
  public var threads: Int
  public var numerics: Numerics
  public var precision: Precision
  public var limits: Limits
  /// The longest that a load and one run may take; `nil` for as long as it takes. `Session.run(deadline:)` sets an end for a single run.
  ///
  /// It is looked at between the pieces of work that threads are given, which take some milliseconds each.
  public var timeout: Duration?
  /// Measure the time of every operator; see `Session.profile`.
  public var isProfiling: Bool

  public init(
    threads: Int = 1, numerics: Numerics = .fast, precision: Precision = .full, limits: Limits = Limits(),
    timeout: Duration? = nil, isProfiling: Bool = false
  ) {
    self.threads = max(1, threads)
    self.numerics = numerics
    self.precision = precision
    self.limits = limits
    self.timeout = timeout
    self.isProfiling = isProfiling
  }

  /// Bounds that keep a hostile or mistaken model from taking the machine down.
  public struct Limits: Sendable, Hashable {
    /// The largest tensor, in bytes. Where one dimension is 0, the others still must not multiply to more elements.
    public var tensorBytes: Int = 1 << 31
    /// All tensors of a session that are computed, in bytes, and the same for its variables, for constants in the
    /// layouts that kernels read, and for constants that are expanded or computed at load.
    public var arenaBytes: Int = 1 << 32
    /// Dimensions of a tensor.
    public var rank: Int = 8
    /// Operators after inlining, those of called subgraphs included.
    public var operators: Int = 50_000
    /// Tensors after inlining, those of called subgraphs included.
    public var tensors: Int = 1_000_000
    /// How deep subgraphs may call subgraphs.
    public var callDepth: Int = 16
    /// How often one run may run subgraphs: every branch counts once, and every round of every loop twice, for its
    /// condition and its body.
    public var subgraphRuns: Int = 1_000_000
    /// The work of one run, every round of every loop included: the time that all operators together take of one thread by their own estimates,
    /// which are made of shapes for a current processor with wide vectors. The largest published models need less than a tenth.
    public var runWork: Duration = .seconds(30)
    /// The work of computing constants when a model is loaded, likewise. What does not fit is computed in every run.
    public var loadWork: Duration = .seconds(5)
    /// A constant computed at load instead of at run, in bytes. All of them together take at most `arenaBytes`.
    public var foldedConstantBytes: Int = 1 << 28

    public init() {}
  }
}
