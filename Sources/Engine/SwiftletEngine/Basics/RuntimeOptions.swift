import SwiftletKernels

/// The rounding of integer operators.
public enum Numerics: String, Sendable, Hashable, CaseIterable {
  /// Requantization in floating point: at most one quantization step from the reference, in few elements.
  case fast
  /// The reference kernels' own fixed-point rounding, and their order of sums in floating point where later operators
  /// quantize: integers are equal to the last bit. Slower; for verification.
  case bitExact = "bit-exact"
}

/// The accuracy that may be traded for speed in floating-point models.
public enum Precision: String, Sendable, Hashable, CaseIterable {
  /// Float32 throughout.
  case full
  /// Products of float32 tensors with constant weights round both to bfloat16, which keeps 8 significant bits, and sum
  /// in float32, where the processor has instructions for that (AVX-512 BF16, or BF16 of arm64): up to twice as fast.
  /// Elsewhere, and for everything else, as `full`; `CompiledModel.precision` tells. Not with `Numerics.bitExact`.
  case reduced
}

/// The options for compiling and running a model.
public struct RuntimeOptions: Sendable, Hashable {
  /// The most threads one run uses, the caller's included. Results do not depend on it. Any number is taken: below 1 it
  /// counts as 1, and above `maximumThreadCount` as that.
  public var threads: Int {
    didSet { threads = Self.clamped(threads) }
  }
  /// More threads than this never help a run.
  public static let maximumThreadCount = 256
  /// The numerics of integer models.
  public var numerics: Numerics
  /// The precision of float models.
  public var precision: Precision
  /// The limits for a model.
  public var limits: Limits
  /// The longest that a load and one run may take; `nil` for as long as it takes. `Session.run(deadline:)` sets an end
  /// for a single run. For the calls of tasks, which may run models several times, see `BaseOptions.timeout`.
  ///
  /// It is looked at between the pieces of work that threads are given, which take some milliseconds each.
  public var timeout: Duration?
  /// A Boolean value that indicates whether sessions measure the time of every operator; see `Session.profile`.
  public var isProfiling: Bool
  /// A Boolean value that indicates whether sessions run in checked mode: every tensor, scratch memory and constant
  /// lies in pages of its own between protected ones, and every step of a run, of what is computed at load, and of
  /// packing can read and write only what it says it does. Whatever touches anything else ends the process with a
  /// signal (SIGSEGV or SIGBUS): it is a defect of the engine or of an added operator, and the process is no longer to
  /// be trusted. Results are the same. Steps run one after the other, ten times slower and more, in the tiles of
  /// `threads`, in an order that says nothing.
  ///
  /// For tests, fuzzers, and files that are not trusted at all.
  public var isChecked: Bool
  /// Which of the two ends of a tensor touches a protected page: tensors for which it is the end in one turn have it at
  /// the start in the next. Also the order of tiles.
  package var checkedTurn = 0
  /// Whether passes may change graphs. Without them every node runs as it stands in the model, which tests compare with.
  package var runsPasses = true

  /// Creates options; those that are not given have the values that most programs want.
  public init(
    threads: Int = 1, numerics: Numerics = .fast, precision: Precision = .full, limits: Limits = Limits(),
    timeout: Duration? = nil, isProfiling: Bool = false, isChecked: Bool = false
  ) {
    self.threads = Self.clamped(threads)
    self.numerics = numerics
    self.precision = precision
    self.limits = limits
    self.timeout = timeout
    self.isProfiling = isProfiling
    self.isChecked = isChecked
  }

  private static func clamped(_ threads: Int) -> Int { min(max(threads, 1), maximumThreadCount) }

  /// Bounds that keep a hostile or mistaken model from taking the machine down.
  public struct Limits: Sendable, Hashable {
    /// The largest tensor, in bytes. Where one dimension is 0, the others still must not multiply to more elements.
    public var tensorBytes: Int = 1 << 31
    /// The tensors that one graph computes, in bytes, and the same for its variables and for all constants of a model
    /// in the layouts that kernels read.
    public var arenaBytes: Int = 1 << 32
    /// All memory of a session, in bytes: tensors of the model and of every subgraph that has run, what threads need,
    /// variables, tables, strings, values of loops and results of subgraphs, and the constants that its `CompiledModel`
    /// has computed, expanded or packed for all sessions. While inputs are resized, the tensors of the old and of the
    /// new shapes count.
    public var sessionBytes: Int = 1 << 32
    /// Dimensions of a tensor; more than 8 are refused in any case.
    public var rank: Int = 8
    /// Operators after inlining, those of called subgraphs included.
    public var operators: Int = 50_000
    /// Tensors after inlining, those of called subgraphs included.
    public var tensors: Int = 1_000_000
    /// The maximum depth of calls between subgraphs.
    public var callDepth: Int = 16
    /// The maximum number of subgraphs that one run may run: every branch counts once, and every round of every loop
    /// twice, for its condition and its body.
    public var subgraphRuns: Int = 1_000_000
    /// The work of one run, every round of every loop included: the time that all operators together take of one thread
    /// by their own estimates, which are made of shapes for a current processor with wide vectors. The largest
    /// published models need less than a tenth.
    public var runWork: Duration = .seconds(30)
    /// The work of computing constants when a model is loaded, likewise. What does not fit is computed in every run.
    public var loadWork: Duration = .seconds(5)
    /// A constant computed at load instead of at run, in bytes. `foldedBytes` bounds all of them together.
    public var foldedConstantBytes: Int = 1 << 28
    /// All constants computed at load, in bytes, besides 16 for each byte of the model file: so much do weights of 2
    /// bits take as float32. What would be more is computed in the run. The same for constants that must be expanded,
    /// those of fewer than 8 bits and sparse ones, besides 64 for each byte of the file; more is an error.
    public var foldedBytes: Int = 1 << 26
    /// The strings that a session makes or is given, in bytes, 64 for each string besides its own; the same for those
    /// of one tensor that is read as a whole, 8 for each string, and, besides 64 for each byte of the file, for those
    /// of the model.
    public var stringBytes: Int = 1 << 26
    /// The limit for what one call returns, and for what a task keeps for its calls, in bytes: categories, embeddings,
    /// detections, landmarks, masks, outputs as tensors, label and calibration files, vocabularies, and windows of
    /// audio. A category counts 128, which is about twice its size. The confidence masks of a model with 21 classes for
    /// an image of 12 megapixels fit.
    public var resultBytes: Int = 1 << 30

    /// Creates the limits that no published model meets.
    public init() {}
  }
}

extension RuntimeOptions.Limits {
  /// See `foldedBytes`.
  static let foldedBytesPerByte = 16
  static let expandedBytesPerByte = 64

  /// `limit` and `factor` bytes for each of a file of `fileBytes`.
  static func inProportion(_ limit: Int, _ factor: Int, fileBytes: Int) -> Int {
    let (share, isTooLarge) = fileBytes.multipliedReportingOverflow(by: factor)
    let (sum, overflow) = max(0, limit).addingReportingOverflow(share)
    return isTooLarge || overflow ? .max : sum
  }
}

/// The instructions that kernels are written for. The package holds all variants; which one runs is decided once, at
/// the first use.
///
/// | name | processors |
/// |---|---|
/// | `portable` | all: SSE2 on x86-64, NEON on arm64 |
/// | `avx2` | x86-64-v3: AVX2 with fused multiply-add |
/// | `avxvnni` | the same with AVX-VNNI, its int8 dot products |
/// | `avx512` | x86-64-v4 with VNNI: AVX-512 and its int8 dot products |
/// | `neon` | arm64: all |
/// | `dotprod` | arm64 with int8 dot products |
/// | `i8mm` | arm64 with int8 matrix products |
public struct InstructionSet: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The name, as the environment variable `SWIFTLET_ISA` takes it.
  public let rawValue: String

  /// Creates the set of that name, whether there is one or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The name.
  public var description: String { rawValue }

  /// The one in use: the best that the processor and the operating system support, or the one that the environment
  /// variable `SWIFTLET_ISA` names if they support it.
  ///
  /// - Thread safety: callable concurrently.
  public static let current = InstructionSet(rawValue: KernelTable.current.name)

  /// The instruction sets that the CPU and the operating system support, slowest first.
  ///
  /// - Thread safety: callable concurrently.
  public static let available = KernelTable.available.map { InstructionSet(rawValue: $0.name) }
}
