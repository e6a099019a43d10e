import SwiftletKernels

/// The rounding of integer operators.
public enum Numerics: String, Sendable, Hashable, CaseIterable {
  /// Floating-point requantization. A few elements differ from the reference kernels by at most one quantization step.
  case fast
  /// The fixed-point rounding of the reference kernels. If later operators quantize, floating-point sums use the order
  /// of the reference kernels too. Integers are bit-exact. Slower; for verification.
  case bitExact = "bit-exact"
}

/// The precision of floating-point models, which can be traded for speed.
public enum Precision: String, Sendable, Hashable, CaseIterable {
  /// Float32 for all computations.
  case full
  /// Products of float32 tensors with constant weights round both operands to bfloat16, which keeps 8 significant bits,
  /// and accumulate in float32. This requires CPU instructions (AVX-512 BF16, or BF16 of arm64) and is up to twice as
  /// fast. On other CPUs, and for all other operators, it is the same as `full`; `CompiledModel.precision` returns the
  /// actual precision. It can't be combined with `Numerics.bitExact`.
  case reduced
}

/// The options for compiling and running a model.
public struct RuntimeOptions: Sendable, Hashable {
  /// The maximum number of threads for one run, including the caller's thread. Results don't depend on it. Values below
  /// 1 count as 1, and values above `maximumThreadCount` count as `maximumThreadCount`.
  public var threads: Int {
    didSet { threads = Self.clamped(threads) }
  }
  /// The number of threads above which a run never gets faster.
  public static let maximumThreadCount = 256
  /// The numerics of integer models.
  public var numerics: Numerics
  /// The precision of float models.
  public var precision: Precision
  /// The limits for a model.
  public var limits: Limits
  /// The maximum duration of a load and of each run, or `nil` for no limit. `Session.run(deadline:)` sets a deadline
  /// for a single run. For task calls, which may run models several times, see `BaseOptions.timeout`.
  ///
  /// The time is checked between the work items of the threads, which take some milliseconds each.
  public var timeout: Duration?
  /// A Boolean value that indicates whether sessions measure the time of every operator; see `Session.profile`.
  public var isProfiling: Bool
  /// A Boolean value that indicates whether sessions run in checked mode (guard pages around every tensor).
  ///
  /// Every tensor, scratch memory, and constant has dedicated pages between protected pages. Every step of a run, of
  /// constant folding, and of packing can access only the memory that it declares. Any other access ends the process
  /// with a signal (SIGSEGV or SIGBUS). It indicates a bug in the engine or in a custom operator, and the process can't
  /// be trusted anymore.
  ///
  /// Results are the same. Steps run one after the other, ten times slower or more, in the tiles of `threads`, in an
  /// arbitrary order.
  ///
  /// Use checked mode for tests, fuzzers, and completely untrusted files.
  public var isChecked: Bool
  /// A number that selects, for each tensor, the end that is adjacent to a protected page. Consecutive numbers select
  /// opposite ends. It also selects the order of tiles.
  package var checkedTurn = 0
  /// Whether passes may change graphs. Otherwise, every node runs as in the model; tests compare the results.
  package var runsPasses = true

  /// Creates options. Parameters that you omit have their default values, which suit most programs.
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

  /// Limits that protect the machine from untrusted or malformed models.
  public struct Limits: Sendable, Hashable {
    /// The maximum size of a tensor, in bytes. If one dimension is 0, the product of the other dimensions is limited
    /// too.
    public var tensorBytes: Int = 1 << 31
    /// The maximum size, in bytes, of the tensors that one graph computes. The same limit applies to the graph's
    /// variables, and to all constants of a model in packed layouts.
    public var arenaBytes: Int = 1 << 32
    /// The maximum memory of a session, in bytes.
    ///
    /// It includes the tensors of the model and of every subgraph that has run, the memory of threads, variables, hash
    /// tables, strings, loop values, and subgraph results. It also includes the constants that the session's
    /// `CompiledModel` computed, expanded, or packed for all sessions. While inputs are resized, the tensors of both
    /// the old and the new shapes count.
    public var sessionBytes: Int = 1 << 32
    /// The maximum rank of a tensor. A rank above 8 is always rejected.
    public var rank: Int = 8
    /// The maximum number of operators after inlining, including called subgraphs.
    public var operators: Int = 50_000
    /// The maximum number of tensors after inlining, including called subgraphs.
    public var tensors: Int = 1_000_000
    /// The maximum depth of calls between subgraphs.
    public var callDepth: Int = 16
    /// The maximum number of subgraph runs in one run. Every branch counts once, and every loop iteration counts twice,
    /// for its condition and its body.
    public var subgraphRuns: Int = 1_000_000
    /// The maximum work of one run, including every loop iteration. Work is the estimated single-thread time of all
    /// operators, based on tensor shapes and a current CPU with wide vectors. The largest published models need less
    /// than a tenth.
    public var runWork: Duration = .seconds(30)
    /// The maximum work of computing constants at load. Constants above this limit are computed in every run.
    public var loadWork: Duration = .seconds(5)
    /// The maximum size, in bytes, of a constant that is computed at load instead of at run time. `foldedBytes` limits
    /// the sum of all of them.
    public var foldedConstantBytes: Int = 1 << 28
    /// The maximum size, in bytes, of all constants computed at load, plus 16 bytes per byte of the model file. (2-bit
    /// weights converted to float32 need this much.) Constants above this limit are computed in the run.
    ///
    /// The same limit, plus 64 bytes per byte of the file, applies to expanded constants: constants of less than 8
    /// bits, and sparse constants. Exceeding it is an error.
    public var foldedBytes: Int = 1 << 26
    /// The maximum size, in bytes, of the strings that a session creates or receives, counted with 64 bytes of overhead
    /// per string. The same limit applies to the strings of one tensor that is read as a whole, with 8 bytes per
    /// string, and, plus 64 bytes per byte of the file, to the strings of the model.
    public var stringBytes: Int = 1 << 26
    /// The maximum size, in bytes, of the result of one call, and of the data that a task keeps for its calls:
    /// categories, embeddings, detections, landmarks, masks, output tensors, label and calibration files, vocabularies,
    /// and audio windows.
    ///
    /// A category counts as 128 bytes, about twice its size. The limit admits the confidence masks of a model with 21
    /// classes for an image of 12 megapixels.
    public var resultBytes: Int = 1 << 30

    /// Creates limits that no published model reaches.
    public init() {}
  }
}

extension RuntimeOptions.Limits {
  /// The factor for the file size; see `foldedBytes`.
  static let foldedBytesPerByte = 16
  static let expandedBytesPerByte = 64

  /// Returns `limit` plus `factor` bytes per byte of the file.
  static func inProportion(_ limit: Int, _ factor: Int, fileBytes: Int) -> Int {
    let (share, isTooLarge) = fileBytes.multipliedReportingOverflow(by: factor)
    let (sum, overflow) = max(0, limit).addingReportingOverflow(share)
    return isTooLarge || overflow ? .max : sum
  }
}

/// An instruction set that the kernels are compiled for. The package contains all variants and selects one on first
/// use.
///
/// | Name | CPUs |
/// |---|---|
/// | `portable` | Any: SSE2 on x86-64, NEON on arm64 |
/// | `avx2` | x86-64-v3: AVX2 with fused multiply-add |
/// | `avxvnni` | x86-64-v3 with AVX-VNNI, which adds int8 dot products |
/// | `avx512` | x86-64-v4 with VNNI: AVX-512 with int8 dot products |
/// | `neon` | Any arm64 |
/// | `dotprod` | arm64 with int8 dot products (DotProd) |
/// | `i8mm` | arm64 with int8 matrix products (I8MM) |
public struct InstructionSet: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The name, as in the environment variable `SWIFTLET_ISA`.
  public let rawValue: String

  /// Creates an instruction set with the given name, which needn't exist.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The name.
  public var description: String { rawValue }

  /// The instruction set in use: the best one that the CPU and the operating system support, or the supported one
  /// selected by the environment variable `SWIFTLET_ISA`.
  ///
  /// - Thread safety: callable concurrently.
  public static let current = InstructionSet(rawValue: KernelTable.current.name)

  /// The instruction sets that the CPU and the operating system support, slowest first.
  ///
  /// - Thread safety: callable concurrently.
  public static let available = KernelTable.available.map { InstructionSet(rawValue: $0.name) }
}
