import Swiftlet
import SwiftletTestSupport
import Testing

@testable import SwiftletBenchmarks

@Suite("Random shapes of the benchmarks")
struct RandomShapeTests {
  @Test("are the same for the same seed, and a larger count continues the sequence")
  func areReproducible() {
    let draws = ShapeSpace.draws(40, seed: 3)
    #expect(draws.count == 40 && Set(draws).count > 30)
    #expect(ShapeSpace.draws(60, seed: 3).prefix(40) == draws[...])
    #expect(ShapeSpace.draws(40, seed: 4) != draws)
  }

  @Test("are in the space that all classes, types, and options share")
  func areInTheSpace() {
    let draws = ShapeSpace.draws(3000, seed: 1)
    #expect(draws.allSatisfy(ShapeSpace.contains))
    for draw in draws {
      #expect(ShapeSpace.operations.contains(draw.operations) && draw.memoryBytes <= ShapeSpace.memoryLimit)
      let types =
        if case .elementwise(let function, _, _) = draw.operation { function.types } else { draw.shapeClass.types }
      #expect(types.contains(draw.type), "\(draw.name)")
    }
    for kind in ShapeClass.allCases {
      #expect(Set(draws.filter { $0.shapeClass == kind }.map(\.type)) == Set(kind.types), "\(kind)")
    }
    #expect(Set(draws.map(\.activation)) == Set(ShapeActivation.allCases))
    let functions = draws.compactMap {
      if case .elementwise(let function, _, _) = $0.operation { function } else { nil as ElementwiseFunction? }
    }
    #expect(Set(functions) == Set(ElementwiseFunction.allCases))
    let windows = draws.compactMap {
      if case .convolution(let window, _, _) = $0.operation { window } else { nil as ImageWindow? }
    }
    #expect(Set(windows.map(\.height)) == Set(1...7) && Set(windows.map(\.strideWidth)) == Set(1...3))
    #expect(Set(windows.map(\.dilationHeight)) == Set(1...4) && Set(windows.map(\.padding)).count == 2)
    #expect(windows.contains { $0.height != $0.width } && windows.contains { $0.strideHeight != $0.strideWidth })
    // Every remainder of a vector of sixteen.
    let channels = draws.filter { $0.shapeClass == .product }.map(\.output.channels)
    #expect(Set(channels.map { $0 % 16 }) == Set(0..<16))
  }

  @Test("can be selected by name")
  func canBeSelected() {
    let draws = ShapeSpace.draws(20, seed: 1) { $0.contains("depthwise int8") }
    #expect(draws.count == 20 && draws.allSatisfy { $0.shapeClass == .depthwise && $0.type == .int8 })
    #expect(ShapeSpace.draws(1, seed: 1) { $0.contains("no such shape") }.isEmpty)
  }

  @Test("become models with the declared output, which the engine runs", arguments: ShapeClass.allCases)
  func becomeModels(kind: ShapeClass) throws {
    let draws = ShapeSpace.draws(200, seed: 5) { $0.hasPrefix("\(kind.rawValue) ") }
    // The vector products are larger by definition.
    let small = draws.filter { $0.operations < 1_000_000 || kind == .vectorProduct }
      .sorted { $0.memoryBytes < $1.memoryBytes }.prefix(kind == .vectorProduct ? 4 : 40)
    #expect(small.count >= 4)
    for draw in small {
      let model = draw.model
      let session = try model.graph.session()
      let count = session.outputs[0].shape.elementCount
      #expect(count == draw.output.count, "\(draw.name)")
      #expect(model.multiplyAdds == draw.multiplyAdds && model.traffic.written >= count)
      // Biases aren't in the bound.
      let biases = 8 * draw.output.channels
      #expect(model.traffic.read + model.traffic.written <= draw.memoryBytes + biases, "\(draw.name)")
      try session.run()
    }
  }

  @Test("count the elements of windows inside the image")
  func countTaps() {
    #expect(WindowSpan(input: 5, window: 3).output == 5 && WindowSpan(input: 5, window: 3).taps == 13)
    let valid = WindowSpan(input: 7, window: 3, stride: 2, padding: .valid)
    #expect(valid.output == 3 && valid.taps == 9)
    let dilated = WindowSpan(input: 4, window: 3, dilation: 3)
    #expect(dilated.output == 4 && dilated.taps == 6)
    #expect(dilated.readCounts.input == 4 && dilated.readCounts.window == 3)
    let sparse = WindowSpan(input: 7, window: 1, stride: 3)
    #expect(sparse.output == 3 && sparse.readCounts.input == 3)
    // Only the center of a large window over a small image is inside it.
    let small = WindowSpan(input: 1, window: 5)
    #expect(small.taps == 1 && small.readCounts.window == 1)
    #expect(TransposedSpan(input: 1, window: 5).readCounts.window == 1)
    let large = WindowSpan(input: 2, window: 5, padding: .valid)
    #expect(large.output <= 0 && large.taps == 0)
    // A transposed convolution has the pairs of the convolution from its output to its input.
    for isSame in [true, false] {
      for window in 2...9 {
        for stride in 1...window {
          let transposed = TransposedSpan(
            input: 5, window: window, stride: stride, padding: isSame ? .same : .valid)
          let forward = WindowSpan(
            input: transposed.output, window: window, stride: stride, padding: isSame ? .same : .valid)
          #expect(forward.output == 5 && forward.taps == transposed.taps, "\(window), \(stride), \(isSame)")
          #expect(transposed.readCounts.input == 5 && transposed.readCounts.window == forward.readCounts.window)
        }
      }
    }
  }

  @Test("report the share of the tighter bound")
  func haveShares() {
    let roofline = Roofline(arithmetic: 100, bandwidth: 10)
    #expect(roofline.isBoundByArithmetic(multiplyAdds: 1000, bytes: 50))
    #expect(roofline.time(multiplyAdds: 1000, bytes: 50) == 10)
    #expect(roofline.attainable(multiplyAdds: 1000, bytes: 50) == 100)
    #expect(!roofline.isBoundByArithmetic(multiplyAdds: 1000, bytes: 200))
    #expect(roofline.time(multiplyAdds: 1000, bytes: 200) == 20)
    #expect(roofline.attainable(multiplyAdds: 1000, bytes: 200) == 50)
    #expect(roofline.share(ofTime: 40, multiplyAdds: 1000, bytes: 200) == 0.5)
  }

  @Test("are summarized by class and type")
  func areSummarized() throws {
    let shares = [0.2, 0.4, 0.8, 1.0]
    let product = ShapeDraw.Operation.product(
      ImageSizes(batch: 64, height: 1, width: 1, channels: 100), columns: 100, isConvolution: false)
    let results = shares.map {
      ShapeResult(
        draw: ShapeDraw(type: .int8, operation: product), threads: 1, bytes: 1, time: 1 / $0,
        roofline: Roofline(arithmetic: 640_000, bandwidth: 1e9), implementation: "GEMM")
    }
    let groups = ShapeGroup.groups(results)
    #expect(
      groups.map(\.name) == ["all", "products and convolutions above 1 MFLOP", "product", "int8", "product, int8"])
    for group in groups {
      #expect(abs(group.shares.median - 0.6) < 1e-9 && group.good == 0.5 && group.shares.count == 4)
    }
    let lines = ShapeGroup.summary(results, worst: 1).split(separator: "\n")
    #expect(lines.last?.contains("20.0 %") == true && lines.count == 1 + groups.count + 3)
    #expect(ShapeGroup.summary([]).isEmpty && ShapeGroup("none", []) == nil)
  }
}
