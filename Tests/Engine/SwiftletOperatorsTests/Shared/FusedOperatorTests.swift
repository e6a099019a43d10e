import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// An operator that fuses the next node, with the shape of its result.
struct FusingCase: Sendable, CustomTestStringConvertible {
  let name: String
  let shape: [Int]
  /// Whether steps other than clamps are fused.
  let takesEpilogue: Bool
  let add: @Sendable (inout TestGraph) -> Int

  var testDescription: String { name }

  init(
    _ name: String, _ shape: [Int], takesEpilogue: Bool = false, _ add: @escaping @Sendable (inout TestGraph) -> Int
  ) {
    self.name = name
    self.shape = shape
    self.takesEpilogue = takesEpilogue
    self.add = add
  }
}

/// Checks that operators with fused nodes give the same results as separate nodes.
@Suite("Operators that fuse the next node")
struct FusedOperatorTests {
  /// Returns numbers from about -2 to 2.
  private static func numbers(_ shape: [Int], offset: Int = 0) -> [Float] {
    (0..<shape.reduce(1, *)).map { Float(($0 &+ offset) &* 37 % 61) / 15 - 2 }
  }

  private static func input(_ graph: inout TestGraph, _ shape: [Int]) -> Int { graph.input(.float32, shape) }

  private static func constant(_ graph: inout TestGraph, _ shape: [Int], offset: Int = 3) -> Int {
    graph.constant(numbers(shape, offset: offset), shape: shape)
  }

  private static func node(
    _ kind: BuiltinOperator, _ shape: [Int], input: [Int], _ others: [[Int]], _ options: WrittenOptions
  ) -> @Sendable (inout TestGraph) -> Int {
    { graph in
      let data = Self.input(&graph, input)
      let constants = others.enumerated().map { Self.constant(&graph, $0.element, offset: 5 * $0.offset) }
      let result = graph.tensor(.float32, shape)
      graph.add(kind, [data] + constants, [result], options: options)
      return result
    }
  }

  private static func convolution(_ stride: Int = 1, _ padding: WindowPadding = .same) -> WrittenOptions {
    Conv2DOptions.with { [$0.padding(padding), $0.strideHeight(stride), $0.strideWidth(stride)] }
  }

  private static let cases: [FusingCase] = [
    FusingCase("ADD", [3, 5], node(.add, [3, 5], input: [3, 5], [[5]], AddOptions.empty)),
    FusingCase("SUB", [3, 5], node(.sub, [3, 5], input: [3, 5], [[3, 1]], SubOptions.empty)),
    FusingCase("MUL", [3, 5], node(.mul, [3, 5], input: [3, 5], [[5]], MulOptions.empty)),
    FusingCase("DIV", [3, 5], node(.div, [3, 5], input: [3, 5], [[5]], DivOptions.empty)),
    FusingCase(
      "CONV_2D", [2, 3, 4, 5], takesEpilogue: true,
      node(.conv2D, [2, 3, 4, 5], input: [2, 6, 7, 3], [[5, 3, 2, 3], [5]], convolution(2))),
    FusingCase(
      "CONV_2D in groups", [1, 4, 5, 6], takesEpilogue: true,
      node(.conv2D, [1, 4, 5, 6], input: [1, 4, 5, 4], [[6, 3, 3, 2], [6]], convolution())),
    FusingCase(
      "CONV_2D of 3 × 3", [1, 9, 10, 24], takesEpilogue: true,
      node(.conv2D, [1, 9, 10, 24], input: [1, 9, 10, 16], [[24, 3, 3, 16], [24]], convolution())),
    FusingCase(
      "CONV_2D of one filter", [1, 9, 10, 1], takesEpilogue: true,
      node(.conv2D, [1, 9, 10, 1], input: [1, 9, 10, 16], [[1, 5, 5, 16], [1]], convolution())),
    FusingCase(
      "CONV_2D of pixels", [2, 5, 4, 7], takesEpilogue: true,
      node(.conv2D, [2, 5, 4, 7], input: [2, 5, 4, 6], [[7, 1, 1, 6], [7]], convolution())),
    FusingCase(
      "DEPTHWISE_CONV_2D", [2, 3, 4, 6], takesEpilogue: true,
      node(
        .depthwiseConv2D, [2, 3, 4, 6], input: [2, 5, 7, 3], [[1, 3, 3, 6], [6]],
        DepthwiseConv2DOptions.with { [$0.padding(.same), $0.strideHeight(2), $0.strideWidth(2)] })),
    FusingCase(
      "FULLY_CONNECTED", [4, 7], takesEpilogue: true,
      node(.fullyConnected, [4, 7], input: [4, 9], [[7, 9], [7]], FullyConnectedOptions.empty)),
    FusingCase("TRANSPOSE_CONV", [1, 6, 8, 2]) { graph in
      let filter = Self.constant(&graph, [2, 3, 3, 5]), data = Self.input(&graph, [1, 3, 4, 5])
      let result = graph.tensor(.float32, [1, 6, 8, 2])
      graph.add(
        .transposeConv, [graph.constant([Int32(1), 6, 8, 2]), filter, data], [result],
        options: TransposeConvOptions.with { [$0.padding(.same), $0.strideHeight(2), $0.strideWidth(2)] })
      return result
    },
    FusingCase(
      "CONV_3D", [1, 2, 3, 4, 3],
      node(
        .conv3D, [1, 2, 3, 4, 3], input: [1, 2, 3, 4, 2], [[2, 2, 3, 2, 3], [3]],
        Conv3DOptions.with { [$0.padding(.same), $0.strideDepth(1), $0.strideHeight(1), $0.strideWidth(1)] })),
    FusingCase("CONV_3D_TRANSPOSE", [1, 4, 3, 4, 3]) { graph in
      let filter = Self.constant(&graph, [2, 2, 3, 3, 2]), data = Self.input(&graph, [1, 2, 3, 4, 2])
      let result = graph.tensor(.float32, [1, 4, 3, 4, 3])
      graph.add(
        .conv3DTranspose, [graph.constant([Int32(1), 4, 3, 4, 3]), filter, data], [result],
        options: Conv3DOptions.with { [$0.padding(.same), $0.strideDepth(2), $0.strideHeight(1), $0.strideWidth(1)] })
      return result
    },
    FusingCase("Convolution2DTransposeBias", [1, 6, 8, 2]) { graph in
      let data = Self.input(&graph, [1, 3, 4, 5])
      let filter = Self.constant(&graph, [2, 2, 2, 5]), bias = Self.constant(&graph, [2])
      let result = graph.tensor(.float32, [1, 6, 8, 2])
      graph.add(
        custom: "Convolution2DTransposeBias", [data, filter, bias], [result],
        options: [1, 2, 2].flatMap { value in withUnsafeBytes(of: Int32(value).littleEndian) { [UInt8]($0) } })
      return result
    },
    FusingCase("MAX_POOL_2D", [1, 3, 4, 5], node(.maxPool2D, [1, 3, 4, 5], input: [1, 6, 7, 5], [], pooling)),
    FusingCase(
      "AVERAGE_POOL_2D", [1, 3, 4, 5], node(.averagePool2D, [1, 3, 4, 5], input: [1, 6, 7, 5], [], pooling)),
    FusingCase("L2_POOL_2D", [1, 3, 4, 5], node(.l2Pool2D, [1, 3, 4, 5], input: [1, 6, 7, 5], [], pooling)),
  ]

  private static let pooling = Pool2DOptions.with {
    [$0.padding(.same), $0.strideHeight(2), $0.strideWidth(2), $0.filterHeight(3), $0.filterWidth(2)]
  }

  /// Returns the results of an operator and the next nodes, fused and separate. To separate them, the tensors in
  /// between are made outputs.
  private func results(
    _ item: FusingCase, numerics: Numerics = .fast,
    _ behind: (inout TestGraph, _ x: Int) -> (between: [Int], result: Int)
  ) throws -> (fused: [Float], apart: [Float], fusedSteps: Int, apartSteps: Int) {
    func run(isApart: Bool) throws -> ([Float], Int) {
      var graph = TestGraph()
      let x = item.add(&graph)
      let (between, result) = behind(&graph, x)
      graph.addOutput(result)
      if isApart { for tensor in [x] + between { graph.addOutput(tensor) } }
      let model = try CompiledModel(try graph.model(), options: RuntimeOptions(numerics: numerics))
      let inputs = try model.inputs.map { spec in
        try Tensor(Self.numbers(spec.shape.dimensions, offset: 11), shape: spec.shape)
      }
      return (try Session(model).run(inputs)[0].values(), model.program.nodes.count)
    }
    let fused = try run(isApart: false), apart = try run(isApart: true)
    return (fused.0, apart.0, fused.1, apart.1)
  }

  private static func isClose(_ left: [Float], _ right: [Float]) -> Bool {
    let largest = right.reduce(1) { max($0, abs($1)) }
    return left.count == right.count && zip(left, right).allSatisfy { abs($0 - $1) <= 2e-6 * largest }
  }

  /// A clamp on its own, with its result.
  struct Clamp: Sendable, CustomTestStringConvertible {
    let kind: BuiltinOperator
    let lower: Float
    let upper: Float
    var testDescription: String { kind.schemaName }

    static let all = [
      Clamp(kind: .relu, lower: 0, upper: .infinity), Clamp(kind: .relu6, lower: 0, upper: 6),
      Clamp(kind: .reluN1To1, lower: -1, upper: 1),
    ]
  }

  @Test("a clamp is fused", arguments: cases, Clamp.all)
  func clamps(item: FusingCase, clamp: Clamp) throws {
    let results = try results(item) { graph, x in
      let result = graph.tensor(.float32, item.shape)
      graph.add(clamp.kind, [x], [result])
      return ([], result)
    }
    #expect(results.fusedSteps == 1 && results.apartSteps == 2)
    #expect(Self.isClose(results.fused, results.apart))
    #expect(results.fused.allSatisfy { $0 >= clamp.lower && $0 <= clamp.upper })
    #expect(results.fused.contains { $0 > 0 })
  }

  @Test("a second clamp isn't fused", arguments: cases)
  func secondClamp(item: FusingCase) throws {
    let results = try results(item) { graph, x in
      let first = graph.tensor(.float32, item.shape), second = graph.tensor(.float32, item.shape)
      graph.add(.reluN1To1, [x], [first])
      graph.add(.relu, [first], [second])
      return ([first], second)
    }
    #expect(results.fusedSteps == 2 && results.apartSteps == 3)
    #expect(results.fused == results.apart)
    #expect(results.fused.allSatisfy { $0 >= 0 && $0 <= 1 })
  }

  /// The node after a product.
  enum Step: CaseIterable { case hardSwish, logistic, slopes, residual, product, clampedSum, swish }

  @Test("functions and arithmetic after a product are fused", arguments: cases.filter(\.takesEpilogue), Step.allCases)
  func epilogues(item: FusingCase, step: Step) throws {
    for numerics in [Numerics.fast, .bitExact] {
      let results = try results(item, numerics: numerics) { graph, x in
        let result = graph.tensor(.float32, item.shape)
        let channels = item.shape[item.shape.count - 1]
        switch step {
        case .hardSwish: graph.add(.hardSwish, [x], [result])
        case .logistic: graph.add(.logistic, [x], [result])
        case .slopes: graph.add(.prelu, [x, Self.constant(&graph, [channels])], [result])
        case .residual: graph.add(.add, [x, Self.input(&graph, item.shape)], [result], options: AddOptions.empty)
        case .product:
          graph.add(.mul, [Self.constant(&graph, item.shape), x], [result], options: MulOptions.empty)
        case .clampedSum:
          graph.add(
            .add, [Self.input(&graph, item.shape), x], [result],
            options: AddOptions.with { [$0.fusedActivation(.relu6)] })
        case .swish:
          let gate = graph.tensor(.float32, item.shape)
          graph.add(.logistic, [x], [gate])
          graph.add(.mul, [x, gate], [result], options: MulOptions.empty)
          return ([gate], result)
        }
        return ([], result)
      }
      #expect(results.fusedSteps < results.apartSteps || numerics == .bitExact)
      #expect(Self.isClose(results.fused, results.apart))
    }
  }

  // MARK: Padding

  /// Returns a padding before a convolution, which is fused or left alone.
  private func padded(
    _ kind: BuiltinOperator, _ paddings: [Int32], value: Float?, padding: WindowPadding = .valid
  ) throws -> (fused: [Float], apart: [Float], fusedSteps: Int) {
    func run(isApart: Bool) throws -> ([Float], Int) {
      var graph = TestGraph()
      let data = Self.input(&graph, [1, 5, 6, 3])
      let shape = [0, 1, 2, 3].map { [1, 5, 6, 3][$0] + Int(paddings[2 * $0] + paddings[2 * $0 + 1]) }
      let wide = graph.tensor(.float32, shape)
      graph.add(
        value == nil ? .pad : .padV2,
        [data, graph.constant(paddings, shape: [4, 2]), value.map { graph.constant([$0], shape: []) }],
        [wide])
      let result = graph.tensor(.float32, [])
      let filter = Self.constant(&graph, kind == .conv2D ? [4, 3, 2, shape[3]] : [1, 3, 2, shape[3]])
      let options =
        kind == .conv2D
        ? Conv2DOptions.with { [$0.padding(padding), $0.strideHeight(1), $0.strideWidth(2)] }
        : DepthwiseConv2DOptions.with { [$0.padding(padding), $0.strideHeight(1), $0.strideWidth(2)] }
      graph.add(kind, [wide, filter], [result], options: options)
      graph.addOutput(result)
      if isApart { graph.addOutput(wide) }
      let model = try CompiledModel(try graph.model())
      let values = try Tensor(Self.numbers([1, 5, 6, 3]), shape: [1, 5, 6, 3])
      return (try Session(model).run([values])[0].values(), model.program.nodes.count)
    }
    let fused = try run(isApart: false), apart = try run(isApart: true)
    return (fused.0, apart.0, fused.1)
  }

  @Test("zero padding of an image is fused into the window", arguments: [BuiltinOperator.conv2D, .depthwiseConv2D])
  func padding(kind: BuiltinOperator) throws {
    for value in [nil, 0, -0.0] as [Float?] {
      let results = try padded(kind, [0, 0, 1, 2, 3, 0, 0, 0], value: value)
      #expect(results.fusedSteps == 1)
      #expect(Self.isClose(results.fused, results.apart))
    }
  }

  @Test(
    "other padding isn't fused",
    arguments: [
      ([0, 0, 1, 2, 3, 0, 0, 0], 1), ([0, 1, 1, 1, 1, 1, 0, 0], nil), ([1, 0, 1, 1, 1, 1, 0, 0], nil),
      ([0, 0, 1, 1, 1, 1, 0, 1], nil), ([0, 0, 1, 1, 1, 1, 1, 0], nil), ([0, 0, -1, 1, 1, 1, 0, 0], nil),
      ([0, 0, 1, 1, 1, -1, 0, 0], nil),
    ] as [([Int32], Float?)])
  func otherPadding(paddings: [Int32], value: Float?) throws {
    let results = try padded(.conv2D, paddings, value: value)
    #expect(results.fusedSteps == 2)
    #expect(results.fused == results.apart)
  }

  @Test("padding isn't fused into a window that already has padding")
  func paddedTwice() throws {
    let results = try padded(.conv2D, [0, 0, 1, 2, 3, 0, 0, 0], value: nil, padding: .same)
    #expect(results.fusedSteps == 2)
    #expect(results.fused == results.apart)
  }

  // MARK: Clamps of quantized values

  /// Returns a maximum or minimum with a constant after a quantized convolution.
  private func clamped(
    _ kind: BuiltinOperator, _ bounds: [(BuiltinOperator, Int32)], _ type: ElementType, isSwapped: Bool = false,
    counts: [Int] = [1], activation: FusedActivation = .none
  ) throws -> (fused: [UInt8], apart: [UInt8], fusedSteps: Int) {
    func run(isApart: Bool) throws -> ([UInt8], Int) {
      var graph = TestGraph()
      let zero: Int32 = type == .int8 ? -3 : 125
      let data = graph.input(type, [1, 5, 6, 4], scale: 0.1, zeroPoint: zero)
      let shape = kind == .conv2D ? [4, 3, 2, 4] : [1, 3, 2, 4]
      let bytes = (0..<shape.reduce(1, *)).map { UInt8(truncatingIfNeeded: $0 * 41) }
      let filter = graph.constant(bytes: bytes, of: type, shape: shape)
      graph.quantize(filter, QuantizationParameters(scale: 0.05, zeroPoint: type == .int8 ? 0 : 120))
      var last = graph.tensor(type, [1, 5, 6, 4], scale: 2, zeroPoint: zero)
      let options =
        kind == .conv2D
        ? Conv2DOptions.with {
          [$0.padding(.same), $0.strideHeight(1), $0.strideWidth(1), $0.fusedActivation(activation)]
        }
        : DepthwiseConv2DOptions.with {
          [$0.padding(.same), $0.strideHeight(1), $0.strideWidth(1), $0.fusedActivation(activation)]
        }
      graph.add(kind, [data, filter], [last], options: options)
      var between = [last]
      for (index, bound) in bounds.enumerated() {
        let count = counts[index % counts.count]
        let constant = graph.constant(
          bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: bound.1), count: count), of: type,
          shape: count == 1 ? [] : [count])
        graph.quantize(constant, QuantizationParameters(scale: 2, zeroPoint: zero))
        let next = graph.tensor(type, [1, 5, 6, 4], scale: 2, zeroPoint: zero)
        graph.add(bound.0, isSwapped ? [constant, last] : [last, constant], [next])
        between.append(next)
        last = next
      }
      graph.addOutput(last)
      if isApart { for tensor in between.dropLast() { graph.addOutput(tensor) } }
      let model = try CompiledModel(try graph.model())
      let values = (0..<120).map { UInt8(truncatingIfNeeded: $0 * 53) }
      let result = try Session(model).run([try Tensor(elementType: type, shape: [1, 5, 6, 4], bytes: values)])[0].bytes
      return (result, model.program.nodes.count)
    }
    let fused = try run(isApart: false), apart = try run(isApart: true)
    return (fused.0, apart.0, fused.1)
  }

  @Test(
    "a quantized clamp is fused into a convolution",
    arguments: [BuiltinOperator.conv2D, .depthwiseConv2D], [ElementType.int8, .uint8])
  func codeBounds(kind: BuiltinOperator, type: ElementType) throws {
    let (low, high): (Int32, Int32) = type == .int8 ? (-20, 9) : (110, 150)
    for isSwapped in [false, true] {
      let upper = try clamped(kind, [(.minimum, high)], type, isSwapped: isSwapped)
      #expect(upper.fusedSteps == 1 && upper.fused == upper.apart)
      let lower = try clamped(kind, [(.maximum, low)], type, isSwapped: isSwapped)
      #expect(lower.fusedSteps == 1 && lower.fused == lower.apart)
      let both = try clamped(kind, [(.maximum, low), (.minimum, high)], type, isSwapped: isSwapped)
      #expect(both.fusedSteps == 1 && both.fused == both.apart)
      #expect(Set(both.fused).count > 3)
      func code(_ byte: UInt8) -> Int32 { type == .int8 ? Int32(Int8(bitPattern: byte)) : Int32(byte) }
      #expect(both.fused.allSatisfy { (low...high).contains(code($0)) })
    }
    let crossed = try clamped(kind, [(.maximum, high), (.minimum, low)], type)
    #expect(crossed.fused == crossed.apart && Set(crossed.fused).count == 1)
    let activated = try clamped(kind, [(.minimum, high)], type, activation: .relu)
    #expect(activated.fused == activated.apart)
    let vector = try clamped(kind, [(.minimum, high)], type, counts: [4])
    #expect(vector.fusedSteps == 2 && vector.fused == vector.apart)
  }
}
