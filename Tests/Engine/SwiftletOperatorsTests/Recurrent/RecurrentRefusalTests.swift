import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Rejections of recurrent layers")
struct RecurrentRefusalTests {
  /// Batches 2, inputs 3, units 4.
  private static func plain(
    _ changes: [Int: ProbeTensor] = [:], activation: FusedActivation = .tanh, code: Int? = nil
  ) -> Probe {
    var inputs: [ProbeTensor] = [
      .floats([2, 3]), .zeros(.float32, [4, 3]), .zeros(.float32, [4, 4]), .zeros(.float32, [4]),
      .variable(.float32, [2, 4]),
    ]
    for (index, tensor) in changes { inputs[index] = tensor }
    return Probe(
      .rnn, inputs, [.floats()], RNNOptions.with { [$0.fusedActivation(code: code ?? activation.rawValue)] })
  }

  private static func sequence(_ changes: [Int: ProbeTensor] = [:], isTimeMajor: Bool = true) -> Probe {
    var inputs: [ProbeTensor] = [
      .floats([5, 2, 3]), .zeros(.float32, [4, 3]), .zeros(.float32, [4, 4]), .zeros(.float32, [4]),
      .variable(.float32, [2, 4]),
    ]
    for (index, tensor) in changes { inputs[index] = tensor }
    return Probe(
      .unidirectionalSequenceRNN, inputs, [.floats()], SequenceRNNOptions.with { [$0.timeMajor(isTimeMajor)] })
  }

  /// Batches 2, steps 5, inputs 3, units 4 forward and 6 backward. The auxiliary input is either read by the backward
  /// direction, or by both with weights of their own.
  private static func directions(_ auxiliary: [Int], isWeighted: Bool) -> Probe {
    func weights(_ rows: Int, _ columns: Int) -> ProbeTensor { .zeros(.float32, [rows, columns]) }
    return Probe(
      .bidirectionalSequenceRNN,
      [
        .floats([2, 5, 3]), weights(4, 3), weights(4, 4), .zeros(.float32, [4]), .variable(.float32, [2, 4]),
        weights(6, isWeighted ? 3 : 2), weights(6, 6), .zeros(.float32, [6]),
        .variable(.float32, [auxiliary[0], 6]), .floats(auxiliary),
      ] + (isWeighted ? [weights(4, 2), weights(6, 2)] : [.missing, .missing]), [.floats(), .floats()],
      BidirectionalSequenceRNNOptions.empty)
  }

  private static let simple: [Refusal] = [
    Refusal(
      "inputs of the two directions differ in batches or steps", directions([2, 4, 2], isWeighted: false),
      but: directions([2, 5, 2], isWeighted: false)),
    Refusal(
      "inputs of the two directions differ in batches or steps", directions([3, 5, 2], isWeighted: false)),
    Refusal(
      "is inconsistent with input 't0' float32[2×5×3]", directions([2, 4, 2], isWeighted: true),
      but: directions([2, 5, 2], isWeighted: true)),
    Refusal("must have rank 2", plain([0: .floats([1, 2, 3])]), but: plain()),
    Refusal("must have rank 3", sequence([0: .floats([2, 3])]), but: sequence()),
    Refusal(
      "input 4 't4' float32[2×4] must have the shape [5×4]", sequence(isTimeMajor: false),
      but: sequence([4: .variable(.float32, [5, 4])], isTimeMajor: false)),
    Refusal("has no inputs or no units", plain([0: .floats([2, 0]), 1: .floats([4, 0])])),
    Refusal("has no inputs or no units", plain([3: .floats([0])])),
    Refusal("input 1 't1' float32[4×2] must have the shape [4×3]", plain([1: .zeros(.float32, [4, 2])])),
    Refusal("input 2 't2' float32[4×3] must have the shape [4×4]", plain([2: .zeros(.float32, [4, 3])])),
    Refusal("input 3 't3' float32[4×1] must have the shape [4]", plain([3: .zeros(.float32, [4, 1])])),
    Refusal("input 4 't4' float32[1×4] must have the shape [2×4]", plain([4: .variable(.float32, [1, 4])])),
    Refusal("must be a variable tensor", plain([4: .floats([2, 4])])),
    Refusal("has fused activation 6", plain(code: 6), but: plain(activation: .signBit)),
  ]

  /// Batches 2, inputs 3, memory 5, rank 2, units 4.
  private static func filter(
    _ changes: [Int: ProbeTensor] = [:], rank: Int = 2, activation: FusedActivation = .relu
  ) -> Probe {
    var inputs: [ProbeTensor] = [
      .floats([2, 3]), .zeros(.float32, [8, 3]), .zeros(.float32, [8, 5]), .zeros(.float32, [4]),
      .variable(.float32, [2, 40]),
    ]
    for (index, tensor) in changes { inputs[index] = tensor }
    return Probe(
      .svdf, inputs, [.floats()], SVDFOptions.with { [$0.rank(rank), $0.fusedActivation(activation)] })
  }

  private static func integerFilter(_ activation: FusedActivation) -> Probe {
    Probe(
      .svdf,
      [
        .of(.int8, [2, 3], scale: 1), .zeros(.int8, [8, 3]).scaled(1), .zeros(.int16, [8, 5]).scaled(1),
        .zeros(.int32, [4]), ProbeTensor.variable(.int16, [2, 40]).scaled(1),
      ], [.of(.int8, scale: 1)], SVDFOptions.with { [$0.rank(2), $0.fusedActivation(activation)] }, version: 3)
  }

  private static let filters: [Refusal] = [
    Refusal("has rank 0; it must be positive", filter(rank: 0), but: filter()),
    Refusal("must have rank 2", filter([0: .floats([6])])),
    Refusal("must have rank 2", filter([1: .zeros(.float32, [24])])),
    Refusal("must have rank 2", filter([2: .zeros(.float32, [40])])),
    Refusal("are inconsistent with rank 3", filter(rank: 3), but: filter([3: .missing], rank: 8)),
    Refusal("are inconsistent with rank 2", filter([0: .floats([2, 0]), 1: .floats([8, 0])])),
    Refusal("are inconsistent with rank 2", filter([2: .floats([8, 0])])),
    Refusal("input 1 't1' float32[8×4] must have the shape [8×3]", filter([1: .zeros(.float32, [8, 4])])),
    Refusal("input 2 't2' float32[7×5] must have the shape [8×5]", filter([2: .zeros(.float32, [7, 5])])),
    Refusal(
      "input 3 't3' float32[8] must have the shape [4]", filter([3: .zeros(.float32, [8])]), but: filter([3: .missing])),
    Refusal("input 4 't4' float32[2×39] must have the shape [2×40]", filter([4: .variable(.float32, [2, 39])])),
    Refusal("must be a variable tensor", filter([4: .floats([2, 40])])),
    Refusal("has activation none; an integer SVDF must have relu", integerFilter(.none), but: integerFilter(.relu)),
  ]

  /// Batches 2, inputs 3, cells 4.
  private static func basic(_ changes: [Int: ProbeTensor] = [:]) -> Probe {
    var inputs: [ProbeTensor] = [
      .floats([2, 3]), .floats([2, 4]), .zeros(.float32, [16, 7]), .zeros(.float32, [16]), .floats([2, 4]),
    ]
    for (index, tensor) in changes { inputs[index] = tensor }
    return Probe(
      .lstm, inputs, [.floats(), .floats(), .floats(), .floats()],
      LSTMOptions.with { [$0.fusedActivation(.tanh), $0.kernelType(.basic)] }, version: 2)
  }

  private static func basicCodes(cells: Float) -> Probe {
    Probe(
      .lstm,
      [
        .of(.uint8, [2, 3], scale: 0x1p-7, zeroPoint: 128), .of(.uint8, [2, 4], scale: 0x1p-7, zeroPoint: 128),
        .zeros(.uint8, [16, 7]).scaled(0.01, 128), .zeros(.int32, [16]).scaled(0.001),
        .of(.int16, [2, 4], scale: 0x1p-11),
      ],
      [
        .of(.uint8, scale: 0x1p-7, zeroPoint: 128), .of(.int16, scale: cells),
        .of(.uint8, scale: 0x1p-7, zeroPoint: 128),
        .of(.int16, scale: 0x1p-12),
      ], LSTMOptions.with { [$0.fusedActivation(.tanh), $0.kernelType(.basic)] }, version: 2)
  }

  private static let basics: [Refusal] = [
    Refusal("must have rank 2", basic([0: .floats([6])]), but: basic()),
    Refusal("must have rank 2", basic([1: .floats([8])])),
    Refusal("has no inputs or no cells", basic([0: .floats([2, 0])])),
    Refusal("has no inputs or no cells", basic([1: .floats([2, 0])])),
    Refusal("input 1 't1' float32[1×4] must have the shape [2×4]", basic([1: .floats([1, 4])])),
    Refusal("input 2 't2' float32[16×6] must have the shape [16×7]", basic([2: .zeros(.float32, [16, 6])])),
    Refusal("input 3 't3' float32[15] must have the shape [16]", basic([3: .zeros(.float32, [15])])),
    Refusal("input 4 't4' float32[2×3] must have the shape [2×4]", basic([4: .floats([2, 3])])),
    Refusal("it must be 2^-11", basicCodes(cells: 0x1p-12), but: basicCodes(cells: 0x1p-11)),
    Refusal(
      "has kernel type 2", Probe(.lstm, basic().inputs, basic().outputs, LSTMOptions.with { [$0.kernelType(code: 2)] })),
    Refusal(
      "takes 20 to 24 inputs", Probe(.lstm, basic().inputs, [.floats()], LSTMOptions.with { [$0.kernelType(.full)] })),
  ]

  /// Batches 2, steps 5, inputs 3, cells 4, outputs 4, or another number of outputs after a projection.
  private static func memory(
    _ changes: [Int: ProbeTensor] = [:], outputs: Int = 4, kind: BuiltinOperator = .unidirectionalSequenceLSTM,
    field: WrittenOptionField? = nil
  ) -> Probe {
    var inputs = [ProbeTensor](repeating: .missing, count: 24)
    inputs[0] = .floats(kind == .lstm ? [2, 3] : [2, 5, 3])
    for gate in 0..<4 {
      inputs[1 + gate] = .zeros(.float32, [4, 3])
      inputs[5 + gate] = .zeros(.float32, [4, outputs])
      inputs[12 + gate] = .zeros(.float32, [4])
    }
    inputs[18] = .variable(.float32, [2, outputs])
    inputs[19] = .variable(.float32, [2, 4])
    for (index, tensor) in changes { inputs[index] = tensor }
    var options =
      kind == .lstm ? LSTMOptions.empty : UnidirectionalSequenceLSTMOptions.with { [$0.timeMajor(false)] }
    if let field { options = options.replacing(field) }
    return Probe(kind, inputs, [.floats()], options)
  }

  private static func floats(_ indices: [Int], _ shape: [Int]) -> [Int: ProbeTensor] {
    Dictionary(uniqueKeysWithValues: indices.map { ($0, .zeros(.float32, shape)) })
  }

  private static let peepholes = floats([9, 10, 11], [4])
  private static let projected = floats([16], [3, 4])
  private static let normalized = floats([20, 21, 22, 23], [4])
  private static let coupled: [Int: ProbeTensor] = [1: .missing, 5: .missing, 12: .missing]

  private static func with(_ parts: [Int: ProbeTensor], _ index: Int, _ tensor: ProbeTensor) -> [Int: ProbeTensor] {
    parts.merging([index: tensor]) { $1 }
  }

  private static let absent = "is given although the part it belongs to is absent"
  private static let memories: [Refusal] = [
    Refusal("must have rank 3", memory([0: .floats([2, 3])]), but: memory()),
    Refusal("must have rank 2", memory([0: .floats([2, 5, 3])], kind: .lstm), but: memory(kind: .lstm)),
    Refusal("must be matrices", memory([4: .zeros(.float32, [12])])),
    Refusal("must be matrices", memory([8: .zeros(.float32, [4, 4, 1])])),
    Refusal("has no inputs, cells or outputs", memory([0: .floats([2, 5, 0])])),
    Refusal("has no inputs, cells or outputs", memory([4: .zeros(.float32, [0, 3])])),
    Refusal(
      "has 3 outputs for 4 cells and no projection between them", memory(outputs: 3), but: memory(projected, outputs: 3)
    ),
    Refusal("input 2 't2' float32[4×2] must have the shape [4×3]", memory([2: .zeros(.float32, [4, 2])])),
    Refusal("input 1 't1' float32[3×3] must have the shape [4×3]", memory([1: .zeros(.float32, [3, 3])])),
    Refusal("input 6 't6' float32[4×3] must have the shape [4×4]", memory([6: .zeros(.float32, [4, 3])])),
    Refusal("must have the shape [4]", memory([14: .zeros(.float32, [3])])),
    Refusal("input 5 \(absent)", memory([1: .missing, 12: .missing]), but: memory(coupled)),
    Refusal("input 12 \(absent)", memory([1: .missing, 5: .missing])),
    Refusal(
      "input 9 \(absent)", memory(coupled.merging(peepholes) { $1 }),
      but: memory(coupled.merging(floats([10, 11], [4])) { $1 })),
    Refusal("input 9 \(absent)", memory(floats([9, 10], [4])), but: memory(peepholes)),
    Refusal("input 10 is missing", memory(floats([9, 11], [4]))),
    Refusal("must have the shape [4]", memory(with(peepholes, 11, .zeros(.float32, [3])))),
    Refusal("input 20 \(absent)", memory(floats([20], [4])), but: memory(normalized)),
    Refusal("must have the shape [4]", memory(with(normalized, 23, .zeros(.float32, [3])))),
    Refusal("must have the shape [4×4]", memory(floats([16], [3, 4]))),
    Refusal(
      "must have the shape [3]", memory(with(projected, 17, .zeros(.float32, [4])), outputs: 3),
      but: memory(with(projected, 17, .zeros(.float32, [3])), outputs: 3)),
    Refusal("input 17 \(absent)", memory(floats([17], [4]))),
    Refusal("must be a variable tensor", memory([18: .floats([2, 4])])),
    Refusal("must be a variable tensor", memory([19: .floats([2, 4])])),
    Refusal(
      "must hold 2 × 4 elements", memory([18: .variable(.float32, [2, 3])]), but: memory([18: .variable(.float32, [8])])
    ),
    Refusal("must hold 2 × 4 elements", memory([19: .variable(.float32, [1, 4])])),
    Refusal(
      "must have the shape [4]", memory([8: .zeros(.float32, [4]), 7: .zeros(.float32, [3])]),
      but: memory([8: .zeros(.float32, [4])])),
    Refusal(
      "has a recurrent vector, so it must have as many outputs as cells",
      memory(with(projected, 5, .zeros(.float32, [4])), outputs: 3), but: memory([5: .zeros(.float32, [4])])),
    Refusal(
      "clips at -1.0 and 0.0", memory(field: UnidirectionalSequenceLSTMOptions.cellClip(-1)),
      but: memory(field: UnidirectionalSequenceLSTMOptions.cellClip(1))),
    Refusal("clips at 0.0 and -1.0", memory(field: UnidirectionalSequenceLSTMOptions.projectionClip(-1))),
    Refusal("clips at inf", memory(field: UnidirectionalSequenceLSTMOptions.cellClip(.infinity))),
    Refusal("clips at 0.0 and inf", memory(field: UnidirectionalSequenceLSTMOptions.projectionClip(.infinity))),
  ]

  @Test("simple layers", arguments: simple)
  func refusesSimple(refusal: Refusal) { refusal.check() }

  @Test("SVDF filters", arguments: filters)
  func refusesFilters(refusal: Refusal) { refusal.check() }

  @Test("the basic form of LSTM", arguments: basics)
  func refusesBasics(refusal: Refusal) { refusal.check() }

  @Test("the full form of LSTM", arguments: memories)
  func refusesMemories(refusal: Refusal) { refusal.check() }
}
