import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// A CONV_2D of one float32 image.
private struct FloatConvolution {
  var input: [Int] = [1, 3, 3, 1]
  var filter: [Int] = [1, 3, 3, 1]
  var weights: [Float]?
  var bias: [Float]? = [0]
  var same = true
  var strides: (height: Int32, width: Int32) = (1, 1)
  var dilations: (height: Int32, width: Int32) = (1, 1)
  var activation: Int8 = 0

  func graph() -> TestGraph {
    var graph = TestGraph()
    let data = graph.input(.float32, input)
    let count = filter.reduce(1, *)
    let weights = graph.constant(weights ?? (0..<count).map { Float($0 + 1) }, shape: filter)
    let offset = bias.map { graph.constant($0) }
    let result = graph.output(.float32, [])
    graph.add(.conv2D, [data, weights, offset], [result], options: options)
    return graph
  }

  var options: WrittenOptions {
    Conv2DOptions.with {
      [
        $0.padding(same ? .same : .valid), $0.strideWidth(strides.width), $0.strideHeight(strides.height),
        $0.fusedActivation(code: activation), $0.dilationWidth(dilations.width), $0.dilationHeight(dilations.height),
      ]
    }
  }

  func run(_ values: [Float]? = nil) throws -> Tensor {
    let values = values ?? (0..<input.reduce(1, *)).map { Float($0 + 1) }
    return try graph().session().run([try Tensor(values, shape: Shape(input))])[0]
  }
}

@Suite("CONV_2D")
struct Convolution2DTests {
  @Test("sums over the window, with zeros around the image")
  func sumsOverWindow() throws {
    let result = try FloatConvolution(bias: [0.5]).run()
    #expect(result.shape == [1, 3, 3, 1])
    // The center multiplies 1…9 by 1…9, the first corner 1, 2, 4, 5 by 5, 6, 8, 9, and the last one 5, 6, 8, 9 by 1, 2,
    // 4, 5.
    let values = try result.values(as: Float.self)
    #expect(values[4] == 285.5)
    #expect(values[0] == 94.5)
    #expect(values[8] == 94.5)
  }

  @Test(
    "sums over wide padded images of few channels",
    arguments: [(1, 3, Numerics.fast), (2, 3, .fast), (2, 5, .fast), (1, 2, .bitExact)] as [(Int, Int, Numerics)])
  func sumsOverWideImages(stride: Int, size: Int, numerics: Numerics) throws {
    let (height, width, channels, filters) = (9, 45, 3, 17)
    let values = (0..<2 * height * width * channels).map { Float($0 * 7919 % 1009) / 1009 - 0.5 }
    let weights = (0..<filters * size * size * channels).map { Float($0 * 104_729 % 1013) / 1013 - 0.5 }
    var graph = TestGraph()
    let data = graph.input(.float32, [2, height, width, channels])
    let filter = graph.constant(weights, shape: [filters, size, size, channels])
    let result = graph.output(.float32, [])
    graph.add(
      .conv2D, [data, filter, nil], [result],
      options: Conv2DOptions.with { [$0.padding(.same), $0.strideWidth(stride), $0.strideHeight(stride)] })
    let tensor = try Tensor(values, shape: [2, height, width, channels])
    let sums = try graph.session(options: RuntimeOptions(numerics: numerics)).run([tensor])[0].values(as: Float.self)
    let rows = (height + stride - 1) / stride, columns = (width + stride - 1) / stride
    let top = max(0, (rows - 1) * stride + size - height) / 2, left = max(0, (columns - 1) * stride + size - width) / 2
    #expect(sums.count == 2 * rows * columns * filters)
    for (index, sum) in sums.enumerated() {
      let (filter, pixel) = (index % filters, index / filters)
      let (batch, row, column) = (pixel / columns / rows, pixel / columns % rows, pixel % columns)
      var expected = 0.0
      for y in 0..<size {
        for x in 0..<size {
          let (inputRow, inputColumn) = (row * stride - top + y, column * stride - left + x)
          guard 0..<height ~= inputRow, 0..<width ~= inputColumn else { continue }
          for channel in 0..<channels {
            expected +=
              Double(values[((batch * height + inputRow) * width + inputColumn) * channels + channel])
              * Double(weights[((filter * size + y) * size + x) * channels + channel])
          }
        }
      }
      #expect(abs(Double(sum) - expected) < 1e-5, "element \(index)")
    }
  }

  @Test("rounds every product and adds the bias last in bit-exact numerics")
  func sumsInTheReferencesOrder() throws {
    let depth = 37
    let values = (0..<depth).map { Float($0 * 7919 % 1000) / 997 - 0.5 }
    let weights = (0..<depth * 3).map { Float($0 * 104_729 % 1000) / 991 - 0.5 }
    let bias: [Float] = [0.1, 100.3, -0.7]
    let result = try evaluate(
      .conv2D,
      [
        .input(values, [1, 1, 1, depth]), .constant(weights, [3, 1, 1, depth]),
        .constant(bias),
      ], to: .float32, options: Conv2DOptions.with { [$0.strideWidth(1), $0.strideHeight(1)] },
      run: RuntimeOptions(numerics: .bitExact))
    let expected = (0..<3).map { column in
      var sum: Float = 0
      for index in 0..<depth { sum += values[index] * weights[column * depth + index] }
      return sum + bias[column]
    }
    #expect(try result.values(as: Float.self) == expected)
  }

  @Test("computes only whole windows without padding")
  func givesWholeWindows() throws {
    let result = try FloatConvolution(input: [1, 4, 3, 1], same: false).run()
    #expect(result.shape == [1, 2, 1, 1])
    let expected: [Float] = [285, 285 + 3 * 45]
    #expect(try result.values(as: Float.self) == expected)
  }

  @Test("puts the odd row and column of padding at the end")
  func padsBehind() throws {
    var convolution = FloatConvolution(input: [1, 2, 2, 1], filter: [1, 2, 2, 1], weights: [1, 10, 100, 1000])
    convolution.strides = (1, 1)
    #expect(try convolution.run().values(as: Float.self) == [4321, 402, 43, 4])
  }

  @Test("supports strides and dilations")
  func stridesAndDilates() throws {
    var convolution = FloatConvolution(input: [1, 5, 5, 1], filter: [1, 2, 2, 1], weights: [1, 1, 1, 1], same: false)
    convolution.dilations = (2, 3)
    convolution.strides = (2, 1)
    let result = try convolution.run()
    #expect(result.shape == [1, 2, 2, 1])
    #expect(try result.values(as: Float.self) == [30, 34, 70, 74])
  }

  @Test("supports grouped channels")
  func groupsChannels() throws {
    let result = try FloatConvolution(
      input: [1, 1, 2, 4], filter: [2, 1, 1, 2], weights: [1, 10, 100, 1000], bias: [0, 0]
    ).run()
    #expect(try result.values(as: Float.self) == [21, 4300, 65, 8700])
  }

  @Test("clamps to its activation", arguments: [(1, 0, 100), (2, -1, 1), (3, 0, 6)])
  func clamps(activation: Int8, lower: Float, upper: Float) throws {
    let values: [Float] = [-8, -0.5, 0.5, 4, 8]
    let result = try FloatConvolution(
      input: [1, 1, 5, 1], filter: [1, 1, 1, 1], activation: activation
    ).run(values)
    #expect(try result.values(as: Float.self) == values.map { min(max($0, lower), upper) })
  }

  @Test("accepts weights and bias that are computed in the run")
  func takesComputedWeights() throws {
    var graph = TestGraph()
    let data = graph.input(.float32, [1, 1, 2, 2])
    let weights = graph.input(.float32, [3, 1, 1, 2])
    let bias = graph.input(.float32, [3])
    let result = graph.output(.float32, [])
    graph.add(.conv2D, [data, weights, bias], [result], options: FloatConvolution().options)
    let inputs = [
      try Tensor([1, 2, 3, 4] as [Float], shape: [1, 1, 2, 2]),
      try Tensor([1, 0, 0, 1, 1, 1] as [Float], shape: [3, 1, 1, 2]), try Tensor([0, 10, 20] as [Float], shape: [3]),
    ]
    let values = try graph.session().run(inputs)[0].values(as: Float.self)
    #expect(values == [1, 12, 23, 3, 14, 27])
  }

  @Test("fuses padding before it and an activation after it")
  func takesOverNeighbors() throws {
    var graph = TestGraph()
    let data = graph.input(.float32, [1, 3, 4, 2])
    let amounts = graph.constant([Int32(0), 0, 1, 2, 0, 1, 0, 0], shape: [4, 2])
    let padded = graph.tensor(.float32, [])
    graph.add(.pad, [data, amounts], [padded])
    let weights = graph.constant((0..<36).map { Float($0 % 5) - 2 }, shape: [2, 3, 3, 2])
    let bias = graph.constant([Float(1), -1])
    let sums = graph.tensor(.float32, [])
    graph.add(.conv2D, [padded, weights, bias], [sums], options: FloatConvolution(same: false).options)
    let result = graph.output(.float32, [])
    graph.add(.relu, [sums], [result])
    let model = try CompiledModel(try graph.model())
    #expect(model.operatorNames == ["CONV_2D"])

    let values = (0..<24).map { Float($0 * 7 % 11) - 5 }
    let output = try Session(model).run([try Tensor(values, shape: [1, 3, 4, 2])])[0]
    #expect(output.shape == [1, 4, 3, 2])
    var separate = graph
    separate.addOutput(padded)
    separate.addOutput(sums)
    let expected = try separate.session().run([try Tensor(values, shape: [1, 3, 4, 2])])
    #expect(try output.values(as: Float.self) == expected[0].values(as: Float.self))
  }

  @Test("gives the same bytes for any number of threads")
  func isDeterministic() throws {
    var random = SplitMix64(state: 5)
    let input = [2, 23, 17, 9], filter = [70, 3, 3, 9]
    var convolution = FloatConvolution(input: input, filter: filter)
    convolution.weights = (0..<filter.reduce(1, *)).map { _ in Float.random(in: -1...1, using: &random) }
    convolution.bias = (0..<70).map { _ in Float.random(in: -1...1, using: &random) }
    let values = try Tensor(
      (0..<input.reduce(1, *)).map { _ in Float.random(in: -1...1, using: &random) }, shape: Shape(input))
    let alone = try convolution.graph().session().run([values])[0]
    let together = try convolution.graph().session(options: RuntimeOptions(threads: 3)).run([values])[0]
    #expect(alone.bytes == together.bytes)
  }

  @Test("does nothing for an empty batch")
  func acceptsEmptyBatch() throws {
    #expect(try FloatConvolution(input: [0, 3, 3, 1]).run().shape == [0, 3, 3, 1])
  }

  @Test("rejects invalid sizes and options")
  func refusesNonsense() {
    func refuses(_ change: (inout FloatConvolution) -> Void) {
      var convolution = FloatConvolution()
      change(&convolution)
      #expect(throws: RuntimeError.self) { try convolution.run() }
    }
    refuses { $0.strides = (0, 1) }
    refuses { $0.strides = (1, -2) }
    refuses { $0.dilations = (0, 1) }
    refuses { $0.activation = 4 }
    refuses { $0.activation = 99 }
    refuses { $0.bias = [0, 0] }
    refuses { $0.filter = [1, 3, 3, 2] }
    refuses { $0.filter = [3, 3, 1] }
    refuses {
      $0.input = [1, 3, 3, 4]
      $0.filter = [3, 3, 3, 2]
      $0.bias = [0, 0, 0]
    }
    refuses {
      $0.same = false
      $0.filter = [1, 5, 3, 1]
    }
    refuses {
      $0.same = false
      $0.dilations = (.max, .max)
    }
    refuses { $0.input = [1, 3, 3] }
  }

  @Test("accepts the largest strides and dilations with padding")
  func takesLargeSteps() throws {
    var convolution = FloatConvolution(bias: nil)
    convolution.strides = (.max, .max)
    convolution.dilations = (.max, .max)
    let result = try convolution.run()
    #expect(result.shape == [1, 1, 1, 1])
    // Only the middle of the window is inside, on one of the pixels.
    #expect(try result.values(as: Float.self)[0].truncatingRemainder(dividingBy: 5) == 0)
  }
}
