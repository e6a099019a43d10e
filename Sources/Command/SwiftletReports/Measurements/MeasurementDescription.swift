/// What was measured of one model, as plain values. Text may hold anything.
package struct MeasurementDescription: Sendable {
  /// The name of the file, without its folder.
  package var name: String
  package var threads: Int
  /// The instructions that the kernels use: `avx2`.
  package var instructionSet: String
  /// Whether products ran in reduced precision.
  package var isReducedPrecision: Bool
  package var loadMilliseconds: Double
  package var firstRunMilliseconds: Double
  /// The measured runs, in the order in which they ran.
  package var runMilliseconds: [Double]
  package var medianMilliseconds: Double
  package var smallestMilliseconds: Double
  /// What 95 of 100 runs do not exceed.
  package var slowMilliseconds: Double
  package var arenaByteCount: Int
  package var packedByteCount: Int
  package var peakResidentByteCount: Int
  /// In the order of execution.
  package var operators: [Operator] = []

  /// What one operator takes of a run, on average; the times of threads are added.
  package struct Operator: Sendable, Hashable {
    /// Its position in the model's graph.
    package var index: Int
    /// `CONV_2D`.
    package var name: String
    package var isCustom: Bool
    /// The name of the first tensor that it makes.
    package var output: String
    package var microseconds: Double
    /// Thousands of millions of arithmetic operations a second; 0 where that is not what it does.
    package var gigaOperationsPerSecond: Double
    /// How it is computed: `indirect GEMM int8 3×3, avx512`.
    package var implementation: String

    package init(
      index: Int, name: String, isCustom: Bool, output: String, microseconds: Double, gigaOperationsPerSecond: Double,
      implementation: String
    ) {
      self.index = index
      self.name = name
      self.isCustom = isCustom
      self.output = output
      self.microseconds = microseconds
      self.gigaOperationsPerSecond = gigaOperationsPerSecond
      self.implementation = implementation
    }
  }

  package init(
    name: String, threads: Int, instructionSet: String, isReducedPrecision: Bool, loadMilliseconds: Double,
    firstRunMilliseconds: Double,
    runMilliseconds: [Double], medianMilliseconds: Double, smallestMilliseconds: Double, slowMilliseconds: Double,
    arenaByteCount: Int,
    packedByteCount: Int, peakResidentByteCount: Int
  ) {
    self.name = name
    self.threads = threads
    self.instructionSet = instructionSet
    self.isReducedPrecision = isReducedPrecision
    self.loadMilliseconds = loadMilliseconds
    self.firstRunMilliseconds = firstRunMilliseconds
    self.runMilliseconds = runMilliseconds
    self.medianMilliseconds = medianMilliseconds
    self.smallestMilliseconds = smallestMilliseconds
    self.slowMilliseconds = slowMilliseconds
    self.arenaByteCount = arenaByteCount
    self.packedByteCount = packedByteCount
    self.peakResidentByteCount = peakResidentByteCount
  }
}
