import SwiftletBase
public import SwiftletEngine
import SwiftletOperators
import SwiftletSchema

/// The diagnosis of a model: what is wrong with it, in which layer, and what to do.
///
/// Without a reference, the model's metadata, quantization parameters, constants, and graph are checked, and the ranges
/// of its tensors over the inputs. With the float model that it was made from as the reference, each layer's error is
/// separated into the part that it inherits from its inputs and the part that it adds.
///
///     let diagnosis = try ModelDiagnosis(of: quantized, reference: float, inputs: images.map { [$0] })
///     for finding in diagnosis.findings { print(finding.severity, finding.message, finding.advice) }
///     print(diagnosis.culprits.first?.message ?? "no layer adds more error than quantization explains")
///
/// Layers run one at a time as in the file. Those of quantized models have the arithmetic of the reference kernels.
///
/// - Thread safety: A value; callable concurrently.
public struct ModelDiagnosis: Sendable {
  /// The findings, the most serious ones first.
  public let findings: [DiagnosisFinding]
  /// The layers with a fault, by what they add to the model's outputs, the worst first; empty without a reference.
  public let culprits: [Culprit]
  /// The operators of the main graph, in order.
  public let layers: [Layer]
  /// The inputs of the main graph, and the tensors that its operators compute, if their elements are numbers.
  public let tensors: [ObservedTensor]
  /// The number of input sets that the models ran on.
  public let inputCount: Int

  /// A layer with a fault.
  public struct Culprit: Sendable, Hashable {
    /// The index of the operator in the main graph; `nil` for an input of the model.
    public var operatorIndex: Int?
    /// The name of the operator, such as `CONV_2D`; `nil` for an input of the model.
    public var operatorName: String?
    /// The index, in the main graph, of the tensor that the layer computes.
    public var tensorIndex: Int
    /// The name of that tensor.
    public var tensorName: String
    /// The name of the constant that has the fault; `nil` if none has. Layers can share one.
    public var constantName: String?
    /// The cause, as a name for programs: `weights-scale`.
    public var cause: DiagnosisFinding.Kind
    /// The fault in one sentence.
    public var message: String
    /// The remedy in one sentence.
    public var advice: String
    /// The signal-to-noise ratio, in decibels, of what the layer adds; `nil` if it isn't known.
    public var addedSignalToNoise: Double?
    /// The signal-to-noise ratio, in decibels, that the layer would add without a fault; `nil` if it isn't known.
    public var expectedSignalToNoise: Double?
    /// The signal-to-noise ratio, in decibels, of the model's outputs if only this layer had an error; `nil` if it isn't
    /// known.
    public var outputSignalToNoise: Double?
  }

  /// An operator of the model.
  public struct Layer: Sendable {
    /// The index of the operator in the main graph.
    public var operatorIndex: Int
    /// The name of the operator, such as `CONV_2D`.
    public var operatorName: String
    /// The index of its first output in the main graph; `nil` for an operator without outputs.
    public var tensorIndex: Int?
    /// The name of its first output.
    public var tensorName: String?
    /// The name of the tensor of the reference; `nil` for none.
    public var referenceName: String?
    /// The output of the run against the output of the reference's run.
    public var total: ErrorFigures?
    /// The part of the error that comes from the inputs: the reference's layer on the inputs of the run, against the
    /// reference's run.
    public var inherited: ErrorFigures?
    /// The part of the error that the layer adds: the layer on the reference's inputs, rounded as its inputs are,
    /// against the reference's layer on the same inputs.
    public var added: ErrorFigures?
    /// The signal-to-noise ratio, in decibels, of `added` for a layer that is quantized as well as its types allow.
    public var expectedSignalToNoise: Double?
    /// The signal-to-noise ratio, in decibels, of the model's outputs if only this layer had an error; known for the
    /// layers that matter most.
    public var outputSignalToNoise: Double?
  }

  /// A tensor over all inputs.
  public struct ObservedTensor: Sendable {
    /// The index in the main graph.
    public var index: Int
    /// The name in the file.
    public var name: String
    /// The smallest and the largest number; `nil` if no number is finite.
    public var range: ClosedRange<Float>?
    /// The numbers that the tensor can hold; `nil` for floats.
    public var representable: ClosedRange<Float>?
    /// The number of different stored values; `nil` for types of more than 8 bits.
    public var levelCount: Int?
    /// The part of the elements with the lowest stored value.
    public var lowestShare: Double
    /// The part of the elements with the highest stored value.
    public var highestShare: Double
    /// The number of indices of the last dimension that have the same number in all inputs.
    public var constantChannelCount: Int
    /// The number of elements that are infinite or not a number.
    public var notFiniteCount: Int
    /// The distribution of the numbers.
    public var histogram: Histogram
    /// The distribution of the reference's numbers, in the same steps; `nil` without a reference.
    public var referenceHistogram: Histogram?
    /// The numbers against those of the reference.
    public var error: ErrorFigures?
  }
}

extension ModelDiagnosis {
  /// The number of steps of the histograms.
  private static let histogramSteps = 64

  /// Creates the diagnosis of a model by running it on inputs.
  ///
  /// - Parameters:
  ///   - model: The model, quantized or not.
  ///   - reference: The float model that it was made from; `nil` for none.
  ///   - inputs: The inputs of each run, one tensor for each input of the model, in its order: real numbers in float32,
  ///     or elements of the input's own type. The shapes are those of the model.
  ///   - areTypical: Whether the inputs are like those that the model is for. Findings about ranges that are never
  ///     used need that.
  ///   - options: The threads, the limits, and the timeout, which is for the diagnosis as a whole.
  ///   - progress: Called with the completed part, from 0 to 1, on the calling thread or on another one.
  /// - Throws: `RuntimeError`: `invalidArgument` if the inputs don't match the model; the errors of loading and running
  ///   both models; `deadlineExceeded` and `cancelled`. A model that cannot run isn't an error: its findings say why.
  public init(
    of model: Model, reference: Model? = nil, inputs: [[Tensor]], areTypical: Bool = true,
    options: RuntimeOptions = RuntimeOptions(), progress: (@Sendable (Double) -> Void)? = nil
  ) throws(RuntimeError) {
    do {
      self = try CallContext.within(options.timeout) {
        try ModelDiagnosis(model, reference, inputs, areTypical, options, progress)
      }
    } catch {
      throw RuntimeError(wrapping: error)
    }
  }

  private init(
    _ model: Model, _ reference: Model?, _ inputs: [[Tensor]], _ areTypical: Bool, _ options: RuntimeOptions,
    _ progress: (@Sendable (Double) -> Void)?
  ) throws {
    let facts = GraphFacts(model.file.subgraphs[0])
    let formats = PairPlan.formats(facts)
    var findings =
      MetadataChecks(model, facts).findings + QuantizationChecks(facts).findings + WeightChecks(facts).findings
      + GraphChecks(facts).findings
    let inputs = try inputs.enumerated().map { try DiagnosisInput($0.element, facts, number: $0.offset + 1) }
    inputCount = inputs.count
    let firstFault = findings.filter { $0.severity == .error }.compactMap(\.operatorIndex).min()
    let support = model.support(options: options)
    if let error = support.error, error.code == .deadlineExceeded || error.code == .cancelled { throw error }
    guard support.isSupported else {
      findings.append(Self.unsupported(support, facts))
      self.findings = findings.ordered()
      (culprits, tensors) = ([], [])
      layers = facts.graph.operators.indices.map { Layer($0, facts) }
      return
    }
    if let reference {
      let comparison = try PairComparison(model, reference, inputs, options, progress)
      findings +=
        RangeChecks(facts, formats, comparison.ranges, areRealInputs: areTypical, firstFault: firstFault).findings
      findings += comparison.findings
      culprits = comparison.culprits(findings)
      layers = comparison.layers
      tensors = Self.tensors(facts, formats, comparison.ranges, comparison)
    } else {
      let ranges = try Workers.run(
        inputs, options: options, progress: progress, make: { try RangeRun(model, facts, options: options) },
        byteCount: { (run: RangeRun) in run.byteCount },
        run: { (run: RangeRun, input: DiagnosisInput) in try run.run(input) })
      let all = ValueRange.merged(ranges.map(\.ranges))
      findings += RangeChecks(facts, formats, all, areRealInputs: areTypical, firstFault: firstFault).findings
      culprits = []
      layers = facts.graph.operators.indices.map { Layer($0, facts) }
      tensors = Self.tensors(facts, formats, all, nil)
    }
    self.findings = findings.ordered()
  }

  private static func unsupported(_ support: ModelSupport, _ facts: GraphFacts) -> DiagnosisFinding {
    let first = support.unsupportedOperators.first
    let reason = first.map { "\($0)" } ?? support.error.map { "\($0)" } ?? ""
    let rest = support.unsupportedOperators.count > 1 ? ", and \(support.unsupportedOperators.count - 1) more" : ""
    return DiagnosisFinding(
      .error, "unsupported", facts, operation: first?.subgraph == 0 ? first?.index : nil, weight: 20,
      "The model cannot run: \(reason.excerpt)\(rest).", advice: "See `swiftlet inspect` for all reasons.")
  }

  private static func tensors(
    _ facts: GraphFacts, _ formats: [NumberFormat?], _ ranges: [Int: ValueRange], _ comparison: PairComparison?
  ) -> [ObservedTensor] {
    ranges.keys.sorted().compactMap { tensor in
      guard let range = ranges[tensor], let format = formats[tensor] else { return nil }
      let references = comparison?.referenceRanges[tensor]
      let ends = [format.representable?.lowerBound, range.minimum, references?.minimum].compactMap(\.self)
      let tops = [format.representable?.upperBound, range.maximum, references?.maximum].compactMap(\.self)
      let lower = ends.filter(\.isFinite).min() ?? 0
      let upper = tops.filter(\.isFinite).max() ?? 0
      let count = Double(max(1, range.elementCount))
      return ObservedTensor(
        index: tensor, name: facts.graph.tensors[tensor].name,
        range: range.minimum <= range.maximum ? range.minimum...range.maximum : nil,
        representable: format.representable, levelCount: range.levelCount,
        lowestShare: Double(range.lowestCount) / count, highestShare: Double(range.highestCount) / count,
        constantChannelCount: range.constantChannelCount, notFiniteCount: range.notFiniteCount,
        histogram: range.histogram(from: lower, to: upper, steps: histogramSteps),
        referenceHistogram: references?.histogram(from: lower, to: upper, steps: histogramSteps),
        error: comparison?.total(tensor))
    }
  }
}

extension ModelDiagnosis.Layer {
  init(_ operation: Int, _ facts: GraphFacts) {
    operatorIndex = operation
    operatorName = facts.name(operation)
    tensorIndex = facts.graph.operators[operation].outputs.first
    tensorName = tensorIndex.map { facts.graph.tensors[$0].name }
  }
}
