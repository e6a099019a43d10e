import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

extension ProbeTensor {
  /// Returns real numbers as a constant.
  fileprivate static func reals(_ rows: [[Double]]) -> ProbeTensor {
    .constant(rows.flatMap { $0 }.map { Float($0) }, [rows.count, rows.first?.count ?? 0])
  }

  fileprivate static func reals(_ values: [Double]) -> ProbeTensor { .constant(values.map { Float($0) }) }
}

/// The optional parts of an LSTM in a test.
struct LSTMParts: Sendable, CustomTestStringConvertible {
  var isCoupled = false
  var hasPeepholes = false
  var isNormalized = false
  var outputs: Int?
  var cellClip: Float = 0
  var projectionClip: Float = 0

  var testDescription: String {
    let parts = [
      isCoupled ? "coupled" : nil, hasPeepholes ? "peepholes" : nil, isNormalized ? "normalized" : nil,
      outputs.map { "\($0) outputs" }, cellClip > 0 ? "cells to \(cellClip)" : nil,
      projectionClip > 0 ? "outputs to \(projectionClip)" : nil,
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }

  func reference(inputs: Int, cells: Int, seed: UInt64) -> LSTMReference {
    var reference = LSTMReference(
      inputs: inputs, cells: cells, outputs: outputs, isCoupled: isCoupled, hasPeepholes: hasPeepholes,
      isNormalized: isNormalized, seed: seed)
    reference.cellClip = Double(cellClip)
    reference.projectionClip = Double(projectionClip)
    return reference
  }

  static let all = [
    LSTMParts(), LSTMParts(isCoupled: true), LSTMParts(hasPeepholes: true), LSTMParts(isNormalized: true),
    LSTMParts(outputs: 3), LSTMParts(outputs: 6), LSTMParts(outputs: 3, projectionClip: 0.4),
    LSTMParts(cellClip: 0.3), LSTMParts(isCoupled: true, hasPeepholes: true, isNormalized: true),
    LSTMParts(hasPeepholes: true, isNormalized: true, outputs: 5, cellClip: 0.5, projectionClip: 0.5),
  ]
}

@Suite("LSTM compared with its definition")
struct LSTMReferenceTests {
  private static let inputs = 3, cells = 5, steps = 6, batches = 2

  /// Returns numbers from -1 to 1.
  private static func sequence(_ batch: Int, _ width: Int, offset: Int = 0) -> [[Double]] {
    (0..<steps).map { step in
      (0..<width).map { Double(((step + offset) * 7 + $0 * 5 + batch * 3) % 17) / 8 - 1 }
    }
  }

  /// Returns the sequences of all batches as a tensor.
  private static func tensor(_ sequences: [[[Double]]], isTimeMajor: Bool) -> ProbeTensor {
    let width = sequences[0][0].count
    let rows =
      isTimeMajor
      ? (0..<steps).flatMap { step in sequences.map { $0[step] } } : sequences.flatMap { $0 }
    return .values(
      rows.flatMap { $0 }.map { Float($0) },
      isTimeMajor ? [steps, sequences.count, width] : [sequences.count, steps, width])
  }

  /// Returns the tensors of one LSTM, by their positions in the node.
  private static func tensors(_ reference: LSTMReference, _ places: LSTMInputs) -> [Int: ProbeTensor] {
    var tensors: [Int: ProbeTensor] = [:]
    for kind in LSTMInputs.GateKind.allCases {
      let gate = places[kind], index = kind.rawValue
      guard !reference.weights[index].isEmpty else { continue }
      tensors[gate.weights] = .reals(reference.weights[index])
      tensors[gate.recurrent] = .reals(reference.recurrent[index])
      tensors[gate.bias] = .reals(reference.bias[index])
      let peephole = [0, 1, nil, 2][index]
      if let place = gate.peephole, let peephole, !reference.peepholes.isEmpty {
        tensors[place] = .reals(reference.peepholes[peephole])
      }
      if let place = gate.normalization, !reference.normalization.isEmpty {
        tensors[place] = .reals(reference.normalization[index])
      }
      if let place = gate.auxiliary, !reference.auxiliary.isEmpty {
        tensors[place] = .reals(reference.auxiliary[index])
      }
    }
    if !reference.projection.isEmpty {
      tensors[places.projection] = .reals(reference.projection)
      tensors[places.projectionBias] = .reals(reference.projectionBias)
    }
    tensors[places.outputState] = .variable(.float32, [batches, reference.outputs])
    tensors[places.cellState] = .variable(.float32, [batches, reference.cells])
    return tensors
  }

  private static func inputs(_ count: Int, _ tensors: [Int: ProbeTensor]) -> [ProbeTensor] {
    (0..<count).map { tensors[$0] ?? .missing }
  }

  private static func isClose(_ values: [Float], _ expected: [Double], within tolerance: Double) -> Bool {
    values.count == expected.count && zip(values, expected).allSatisfy { abs(Double($0) - $1) <= tolerance }
  }

  @Test("in float32, with any of its parts", arguments: LSTMParts.all, [false, true])
  func floats(parts: LSTMParts, isTimeMajor: Bool) throws {
    let reference = parts.reference(inputs: Self.inputs, cells: Self.cells, seed: 11)
    let sequences = (0..<Self.batches).map { Self.sequence($0, Self.inputs) }
    var tensors = Self.tensors(reference, .unidirectional)
    tensors[0] = Self.tensor(sequences, isTimeMajor: isTimeMajor)
    let options = UnidirectionalSequenceLSTMOptions.with {
      [
        $0.fusedActivation(.tanh), $0.timeMajor(isTimeMajor), $0.cellClip(parts.cellClip),
        $0.projectionClip(parts.projectionClip),
      ]
    }
    let expected = sequences.map { reference.run($0) }
    let rows =
      isTimeMajor
      ? (0..<Self.steps).flatMap { step in expected.map { $0[step] } } : expected.flatMap { $0 }
    for numerics in [Numerics.fast, .bitExact] {
      let probe = Probe(
        .unidirectionalSequenceLSTM, Self.inputs(24, tensors), [.floats()], options,
        runtime: RuntimeOptions(numerics: numerics))
      #expect(Self.isClose(try probe.run()[0].values(), rows.flatMap { $0 }, within: 1e-5))
    }
  }

  /// With recurrent vectors, every cell only reads its own previous output.
  @Test("in float32, with recurrent vectors")
  func recurrentVectors() throws {
    var reference = LSTMParts().reference(inputs: Self.inputs, cells: Self.cells, seed: 12)
    let diagonals = reference.recurrent.map { matrix in matrix.indices.map { matrix[$0][$0] } }
    for gate in 0..<4 {
      reference.recurrent[gate] = diagonals[gate].indices.map { row in
        diagonals[gate].indices.map { $0 == row ? diagonals[gate][row] : 0 }
      }
    }
    var tensors = Self.tensors(reference, .unidirectional)
    for gate in 0..<4 { tensors[5 + gate] = .reals(diagonals[gate]) }
    let sequences = (0..<Self.batches).map { Self.sequence($0, Self.inputs) }
    tensors[0] = Self.tensor(sequences, isTimeMajor: false)
    let probe = Probe(
      .unidirectionalSequenceLSTM, Self.inputs(24, tensors), [.floats()],
      UnidirectionalSequenceLSTMOptions.with { [$0.fusedActivation(.tanh), $0.diagonalRecurrentTensors(true)] })
    let expected = sequences.flatMap { reference.run($0) }.flatMap { $0 }
    #expect(Self.isClose(try probe.run()[0].values(), expected, within: 1e-5))
  }

  /// The use of the auxiliary input in a bidirectional layer.
  enum Auxiliary: CaseIterable { case none, added, behind }

  @Test("in two directions, with an auxiliary input", arguments: Auxiliary.allCases, [false, true])
  func directions(auxiliary: Auxiliary, isMerged: Bool) throws {
    // An auxiliary input without weights is the input sequence of the second direction.
    let backInputs = auxiliary == .behind ? 4 : Self.inputs, added = auxiliary == .added ? 4 : 0
    let forward = LSTMReference(inputs: Self.inputs, cells: Self.cells, auxiliaryInputs: added, seed: 21)
    let backward = LSTMReference(
      inputs: backInputs, cells: 4, outputs: 3, hasPeepholes: true, auxiliaryInputs: added, seed: 22)
    let sequences = (0..<Self.batches).map { Self.sequence($0, Self.inputs) }
    let others = (0..<Self.batches).map { Self.sequence($0, 4, offset: 5) }
    var tensors = Self.tensors(forward, .forward).merging(Self.tensors(backward, .backward)) { $1 }
    tensors[0] = Self.tensor(sequences, isTimeMajor: true)
    if auxiliary != .none { tensors[39] = Self.tensor(others, isTimeMajor: true) }
    let probe = Probe(
      .bidirectionalSequenceLSTM, Self.inputs(48, tensors), isMerged ? [.floats()] : [.floats(), .floats()],
      BidirectionalSequenceLSTMOptions.with {
        [$0.fusedActivation(.tanh), $0.timeMajor(true), $0.mergeOutputs(isMerged)]
      })
    let ahead = (0..<Self.batches).map { forward.run(sequences[$0], auxiliary: others[$0]) }
    let back = (0..<Self.batches).map { batch in
      let data = auxiliary == .behind ? others[batch] : sequences[batch]
      return Array(backward.run(data.reversed(), auxiliary: others[batch].reversed()).reversed())
    }
    func rows(_ outputs: [[[Double]]]) -> [[Double]] {
      (0..<Self.steps).flatMap { step in outputs.map { $0[step] } }
    }
    let results = try probe.run()
    if isMerged {
      #expect(results[0].shape == Shape([Self.steps, Self.batches, Self.cells + 3]))
      let merged = zip(rows(ahead), rows(back)).flatMap { $0 + $1 }
      #expect(Self.isClose(try results[0].values(), merged, within: 1e-5))
    } else {
      #expect(results[1].shape == Shape([Self.steps, Self.batches, 3]))
      #expect(Self.isClose(try results[0].values(), rows(ahead).flatMap { $0 }, within: 1e-5))
      #expect(Self.isClose(try results[1].values(), rows(back).flatMap { $0 }, within: 1e-5))
    }
  }

  // MARK: Integers

  /// Returns real numbers as quantized integers, and the real numbers that these represent.
  private static func quantized<Code: FixedWidthInteger>(_ values: [Double], _ scale: Double, _ type: Code.Type)
    -> (codes: [Code], reals: [Double])
  {
    let codes = values.map { Code(clamping: Int(($0 / scale).rounded())) }
    return (codes, codes.map { Double($0) * scale })
  }

  @Test("in int8, within three steps of the output", arguments: LSTMParts.all)
  func integers(parts: LSTMParts) throws {
    let inputScale = 1.0 / 64, weightScale = 0.01, cellScale = 0x1p-11, outputScale = 1.0 / 128, hiddenScale = 1.0 / 100
    // Clipping is relative to the zero point.
    let zero: Int32 = parts.outputs == nil ? -5 : parts.projectionClip > 0 ? 0 : 4
    let shortScale = 0x1p-14, sumScale = 0x1p-12
    var reference = parts.reference(inputs: Self.inputs, cells: Self.cells, seed: 31)
    reference.peepholeCells = min(reference.cells, reference.outputs)
    var graph = TestGraph()
    var tensors = [Int?](repeating: nil, count: 24)
    tensors[0] = graph.input(
      .int8, [Self.batches, Self.steps, Self.inputs], scale: Float(inputScale), zeroPoint: 3)
    func matrix(_ rows: [[Double]]) -> (tensor: Int, reals: [[Double]]) {
      let (codes, reals) = Self.quantized(rows.flatMap { $0 }, weightScale, Int8.self)
      let width = rows[0].count
      let tensor = graph.constant(codes, shape: [rows.count, width], scale: Float(weightScale))
      return (tensor, rows.indices.map { Array(reals[$0 * width..<($0 + 1) * width]) })
    }
    func vector(_ values: [Double]) -> (tensor: Int, reals: [Double]) {
      let (codes, reals) = Self.quantized(values, shortScale, Int16.self)
      return (graph.constant(codes, scale: Float(shortScale)), reals)
    }
    func biases(_ values: [Double], _ scale: Double) -> (tensor: Int, reals: [Double]) {
      let (codes, reals) = Self.quantized(values, scale, Int32.self)
      return (graph.constant(codes, scale: Float(scale)), reals)
    }
    for gate in parts.isCoupled ? 1..<4 : 0..<4 {
      let weights = matrix(reference.weights[gate]), recurrent = matrix(reference.recurrent[gate])
      (tensors[1 + gate], tensors[5 + gate]) = (weights.tensor, recurrent.tensor)
      (reference.weights[gate], reference.recurrent[gate]) = (weights.reals, recurrent.reals)
      // After a normalization, biases have a scale of their own.
      let bias = biases(reference.bias[gate], parts.isNormalized ? shortScale / 1024 : inputScale * weightScale)
      tensors[12 + gate] = bias.tensor
      reference.bias[gate] = bias.reals
      if parts.isNormalized {
        let coefficients = vector(reference.normalization[gate])
        tensors[20 + gate] = coefficients.tensor
        reference.normalization[gate] = coefficients.reals
      }
      if parts.hasPeepholes, gate != 2 {
        let place = gate == 3 ? 2 : gate, peephole = vector(reference.peepholes[gate == 3 ? 2 : gate])
        tensors[9 + place] = peephole.tensor
        reference.peepholes[place] = peephole.reals
      }
    }
    if parts.outputs != nil {
      let projection = matrix(reference.projection)
      let bias = biases(reference.projectionBias, weightScale * hiddenScale)
      (tensors[16], tensors[17]) = (projection.tensor, bias.tensor)
      (reference.projection, reference.projectionBias) = (projection.reals, bias.reals)
    }
    tensors[18] = graph.variable(
      .int8, [Self.batches, reference.outputs], scale: Float(outputScale), zeroPoint: zero)
    tensors[19] = graph.variable(.int16, [Self.batches, Self.cells], scale: Float(cellScale))
    let intermediates = (0..<4).map { _ in graph.tensor(.int16, [0], scale: Float(sumScale)) }
    let hidden = graph.tensor(
      .int8, [0], scale: parts.outputs == nil ? Float(outputScale) : Float(hiddenScale),
      zeroPoint: parts.outputs == nil ? -5 : 7)
    graph.add(
      .unidirectionalSequenceLSTM, tensors,
      [graph.output(.int8, [], scale: Float(outputScale), zeroPoint: zero)],
      options: UnidirectionalSequenceLSTMOptions.with {
        [$0.fusedActivation(.tanh), $0.cellClip(parts.cellClip), $0.projectionClip(parts.projectionClip)]
      }, version: 3, intermediates: intermediates + [hidden])
    var codes: [Int8] = [], expected: [Double] = []
    for batch in 0..<Self.batches {
      let sequence = Self.sequence(batch, Self.inputs).map { Self.quantized($0, inputScale, Int8.self) }
      codes += sequence.flatMap { $0.codes.map { $0 + 3 } }
      expected += reference.run(sequence.map(\.reals)).flatMap { $0 }
    }
    let data = try Tensor(codes, shape: [Self.batches, Self.steps, Self.inputs])
    let result: [Int8] = try graph.session().run([data])[0].values()
    #expect(result.count == expected.count)
    var worst = 0.0
    for (code, real) in zip(result, expected) {
      let steps = min(max(real / outputScale + Double(zero), -128), 127)
      worst = max(worst, abs(Double(code) - steps))
    }
    #expect(worst <= 3)
  }
}
