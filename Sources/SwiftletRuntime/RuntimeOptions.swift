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
  /// The most threads one run uses, the caller's included. Results do not depend on it. Any number is taken: below 1 it counts as 1, and above
  /// `mostThreads` as that.
  public var threads: Int {
    didSet { threads = Self.clamped(threads) }
  }
  /// More threads than this never help a run.
  public static let mostThreads = 256
  public var numerics: Numerics
  public var precision: Precision
  public var limits: Limits
  /// Measure the time of every operator; see `Session.profile`.
  public var isProfiling: Bool

  public init(
    threads: Int = 1, numerics: Numerics = .fast, precision: Precision = .full, limits: Limits = Limits(),
    isProfiling: Bool = false
  ) {
    self.threads = Self.clamped(threads)
    self.numerics = numerics
    self.precision = precision
    self.limits = limits
    self.isProfiling = isProfiling
  }

  private static func clamped(_ threads: Int) -> Int { min(max(threads, 1), mostThreads) }

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
    /// A constant computed at load instead of at run, in bytes. All of them together take at most `arenaBytes`.
    public var foldedConstantBytes: Int = 1 << 28

    public init() {}
  }
}
