import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// A graph under construction for a test of a pattern, with its input `x`.
struct PatternProbe {
  var graph = TestGraph()
  let shape: [Int]
  let type: ElementType
  /// The value that the nodes read.
  let x: Int
  /// The shape of the graph's input, which is `x`, or what a convolution computes `x` from.
  private let inputShape: [Int]
  /// The results of nodes, in order.
  private(set) var results: [Int] = []
  /// The result that is a square, for tests of kernels that square and sum at once.
  var squares: Int?
  private var truths: Set<Int> = []
  private var shapes: [Int: [Int]] = [:]

  init(_ shape: [Int], type: ElementType = .float32) {
    self.shape = shape
    self.type = type
    let scale: Float? = type == .int8 ? 0.05 : nil
    x = graph.input(type, shape, scale: scale)
    inputShape = shape
  }

  /// Creates a graph in which a convolution computes `x`.
  init(channels: Int) {
    shape = [1, 5, 6, channels]
    type = .float32
    inputShape = [1, 5, 6, 4]
    let data = graph.input(.float32, inputShape)
    x = graph.tensor(.float32, shape)
    let weights = vector([channels, 1, 1, 4]), bias = vector([channels])
    graph.add(
      .conv2D, [data, weights, bias], [x], options: Conv2DOptions.with { [$0.strideWidth(1), $0.strideHeight(1)] })
  }

  /// Adds a node whose result has the shape of `x` unless given.
  mutating func add(
    _ kind: BuiltinOperator, _ inputs: [Int], _ options: WrittenOptions? = nil, shape: [Int]? = nil,
    type: ElementType? = nil, version: Int = 1
  ) -> Int {
    let type = type ?? self.type
    let result = graph.tensor(type, shape ?? self.shape, scale: type == .int8 ? 0.05 : nil)
    graph.add(kind, inputs, [result], options: options, version: version)
    results.append(result)
    shapes[result] = shape ?? self.shape
    if type == .bool { truths.insert(result) }
    return result
  }

  /// Adds a constant of one element.
  mutating func number(_ value: Float, shape: [Int] = []) -> Int {
    switch type {
    case .int32: graph.constant([Int32(value)], shape: shape)
    case .int8: graph.constant([Int8(value)], shape: shape, scale: 0.05)
    default: graph.constant([Float](repeating: value, count: shape.reduce(1, *)), shape: shape)
    }
  }

  /// Adds a vector with an element for each channel, from -1 to 1.
  mutating func vector(_ shape: [Int]? = nil, within range: ClosedRange<Float> = -1...1) -> Int {
    let shape = shape ?? [self.shape[self.shape.count - 1]]
    let values = (0..<shape.reduce(1, *)).map { (index: Int) -> Float in
      range.lowerBound + Float((index &* 37 &+ 11) % 64 + 1) / 64 * (range.upperBound - range.lowerBound)
    }
    return graph.constant(values, shape: shape)
  }

  /// Numbers from -8 to 8.
  static func values(_ count: Int) -> [Float] {
    (0..<count).map { Float(($0 &* 7919 &+ 104_729) % 2003) / 125 - 8 }
  }

  static let unusual: [Float] = [
    .nan, .infinity, -.infinity, 0, -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 1e30, -1e30, 3, -3,
  ]

  /// Runs the graph of one float32 input.
  ///
  /// - Parameter exposing: Other results that are outputs.
  func run(
    _ result: Int, _ values: [Float]? = nil, exposing: [Int] = [], _ options: RuntimeOptions = RuntimeOptions()
  ) throws -> (values: [Float], names: [String]) {
    var graph = graph
    graph.addOutput(result)
    for other in exposing where other != result { graph.addOutput(other) }
    let compiled = try CompiledModel(try graph.model(), options: options)
    let values = values ?? Self.values(inputShape.reduce(1, *))
    let input = try Tensor(values, shape: Shape(inputShape))
    return (try Session(compiled).run([input])[0].values(as: Float.self), compiled.operatorNames)
  }

  /// Checks that the graph runs as nodes of these names, and that the results are those of the separate nodes.
  ///
  /// - Parameter unusual: Values that are repeated as a second input.
  func expect(
    _ names: [String], _ result: Int, error: Float = 1e-6, unusual: [Float] = unusual,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var apart = RuntimeOptions()
    let exact = RuntimeOptions(numerics: .bitExact)
    apart.runsPasses = false
    let count = inputShape.reduce(1, *)
    for values in [Self.values(count), (0..<count).map { unusual[$0 % unusual.count] }] {
      let fused = try run(result, values), expected = try run(result, values, apart)
      #expect(fused.names == names, sourceLocation: sourceLocation)
      #expect(fused.values.count == expected.values.count, sourceLocation: sourceLocation)
      for (value, other) in zip(fused.values, expected.values) {
        let isSame = Self.isSame(value, other, error: error)
        #expect(isSame, "\(value) instead of \(other)", sourceLocation: sourceLocation)
      }
    }
    let fused = try run(result)
    for turn in 0..<2 {
      var checked = RuntimeOptions(threads: 1 + turn, isChecked: true)
      checked.checkedTurn = turn
      let results = try run(result, nil, checked)
      #expect(results.names == names && results.values == fused.values, sourceLocation: sourceLocation)
    }
    let exactNames = try run(result, nil, exact).names, apartNames = try run(result, nil, apart).names
    #expect(exactNames.allSatisfy { apartNames.contains($0) }, sourceLocation: sourceLocation)
    #expect(exactNames.count > names.count || names == apartNames, sourceLocation: sourceLocation)
  }

  /// Returns whether two results are of the same kind (NaN, infinite with a sign, or finite), and close.
  private static func isSame(_ left: Float, _ right: Float, error: Float) -> Bool {
    if left.isNaN || right.isNaN { return left.isNaN && right.isNaN }
    if left.isInfinite || right.isInfinite { return left == right }
    return abs(left - right) <= error * max(1, abs(right))
  }

  /// Checks that no node is replaced by an operator of these names.
  ///
  /// - Parameter exposing: Other results that are outputs.
  func expectNone(
    of names: [String], _ result: Int, exposing: [Int] = [], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var graph = graph
    graph.addOutput(result)
    for other in exposing where other != result { graph.addOutput(other) }
    let found = try CompiledModel(try graph.model()).operatorNames
    #expect(!found.contains { names.contains($0) }, sourceLocation: sourceLocation)
  }

  /// Checks that no node is replaced by an operator of these names if another result is an output or has another
  /// reader.
  func expectNoneIfRead(
    of names: [String], _ result: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for inner in results where inner != result {
      try expectNone(of: names, result, exposing: [inner], sourceLocation: sourceLocation)
      var other = self
      let isTruth = truths.contains(inner)
      let read = other.add(isTruth ? .logicalNot : .exp, [inner], shape: shapes[inner], type: isTruth ? .bool : type)
      try other.expectNone(of: names, result, exposing: [read], sourceLocation: sourceLocation)
    }
  }

  /// Checks that passes leave the results as they are, up to rounding.
  func expectSame(_ result: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    var graph = graph
    graph.addOutput(result)
    let model = try graph.model()
    let results = try [true, false].map { runsPasses in
      var options = RuntimeOptions()
      options.runsPasses = runsPasses
      let compiled = try CompiledModel(model, options: options)
      let inputs = try compiled.inputs.enumerated().map { index, spec in
        try Tensor(
          Self.values(spec.shape.elementCount + index).suffix(spec.shape.elementCount).map { $0 }, shape: spec.shape)
      }
      return try Session(compiled).run(inputs)[0].values(as: Float.self)
    }
    #expect(
      zip(results[0], results[1]).allSatisfy { Self.isSame($0, $1, error: 1e-6) }, sourceLocation: sourceLocation)
  }
}

/// A graph that computes a function as several nodes.
struct PatternSpelling: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Adds the nodes. Returns the result.
  let add: @Sendable (inout PatternProbe) -> Int

  init(_ description: String, _ add: @escaping @Sendable (inout PatternProbe) -> Int) {
    testDescription = description
    self.add = add
  }
}
