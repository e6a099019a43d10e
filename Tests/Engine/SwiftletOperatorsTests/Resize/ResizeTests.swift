import SwiftletKernels
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Resize operators")
struct ResizeTests {
  private func bilinear<Scalar: TensorScalar>(
    _ values: [Scalar], _ shape: [Int], to size: [Int32], alignsCorners: Bool = false, hasHalfPixelCenters: Bool = false
  ) throws -> SingleNode {
    SingleNode(
      .resizeBilinear, [try .input(values, shape), .constant(size)], gives: [Scalar.elementType],
      options: ResizeBilinearOptions.with {
        [$0.alignCorners(alignsCorners), $0.halfPixelCenters(hasHalfPixelCenters)]
      })
  }

  @Test(
    "interpolates neighboring pixels, by any of the three rules",
    arguments: [
      (false, false, [0, 2, 4, 4]), (true, false, [0, Float(4) / 3, Float(8) / 3, 4]), (false, true, [0, 1, 3, 4]),
    ] as [(Bool, Bool, [Float])])
  func mixes(alignsCorners: Bool, hasHalfPixelCenters: Bool, expected: [Float]) throws {
    let node = try bilinear(
      [Float(0), 4], [1, 1, 2, 1], to: [1, 4], alignsCorners: alignsCorners, hasHalfPixelCenters: hasHalfPixelCenters)
    let result: [Float] = try node().values()
    #expect(zip(result, expected).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test("adds four products in the reference's order in bit-exact numerics", arguments: [1, 2, 5, 17])
  func addsInOrder(channels: Int) throws {
    var random = SplitMix64(state: 5)
    let values = (0..<3 * 5 * channels).map { _ in Float.random(in: -2...2, using: &random) }
    let node = try bilinear(values, [1, 3, 5, channels], to: [7, 8])
    let result: [Float] = try node.run(RuntimeOptions(numerics: .bitExact))[0].values()
    func tap(_ position: Int, _ input: Int, _ output: Int) -> (Int, Int, Float) {
      let place = Float(position) * (Float(input) / Float(output))
      return (Int(place), min(Int(place.rounded(.up)), input - 1), place - Float(Int(place)))
    }
    for (index, value) in result.enumerated() {
      let (top, bottom, down) = tap(index / channels / 8, 3, 7)
      let (left, right, across) = tap(index / channels % 8, 5, 8)
      func product(_ row: Int, _ column: Int, _ down: Float, _ across: Float) -> Float {
        values[(row * 5 + column) * channels + index % channels] * down * across
      }
      let upperLeft = product(top, left, 1 - down, 1 - across), lowerLeft = product(bottom, left, down, 1 - across)
      let upperRight = product(top, right, 1 - down, across), lowerRight = product(bottom, right, down, across)
      #expect(value == upperLeft + lowerLeft + upperRight + lowerRight)
    }
  }

  @Test(
    "equals XNNPACK in every bit in fast numerics, for enlarged, reduced, and unchanged images",
    arguments: [1, 2, 5, 17], [(7, 8), (3, 5), (2, 3), (1, 40), (25, 1)])
  func equalsXNNPACK(channels: Int, size: (height: Int, width: Int)) throws {
    let (batch, height, width) = (2, 3, 5)
    var random = SplitMix64(state: 6)
    let values = (0..<batch * height * width * channels).map { _ in Float.random(in: -2...2, using: &random) }
    for (alignsCorners, hasHalfPixelCenters) in [(false, false), (true, false), (false, true)] {
      let node = try bilinear(
        values, [batch, height, width, channels], to: [Int32(size.height), Int32(size.width)],
        alignsCorners: alignsCorners, hasHalfPixelCenters: hasHalfPixelCenters)
      func tap(_ position: Int, _ input: Int, _ output: Int) -> (Int, Int, Float) {
        let scale = alignsCorners && output > 1 ? Float(input - 1) / Float(output - 1) : Float(input) / Float(output)
        let offset = hasHalfPixelCenters ? 0.5 * scale - 0.5 : 0
        let place = min(max(Float(position) * scale + offset, 0), Float(input - 1))
        return (Int(place), min(Int(place) + 1, input - 1), place - Float(Int(place)))
      }
      let expected = (0..<batch * size.height * size.width * channels).map { index -> Float in
        let (pixel, channel) = index.quotientAndRemainder(dividingBy: channels)
        let (top, bottom, down) = tap(pixel / size.width % size.height, height, size.height)
        let (left, right, across) = tap(pixel % size.width, width, size.width)
        let image = pixel / size.width / size.height
        func row(_ row: Int) -> Float {
          let start = (image * height + row) * width
          func element(_ column: Int) -> Float { values[(start + column) * channels + channel] }
          return mixed(element(left), element(right), across)
        }
        return mixed(row(top), row(bottom), down)
      }
      for threads in [1, 3] {
        let result: [Float] = try node.run(RuntimeOptions(threads: threads))[0].values()
        #expect(result.map(\.bitPattern) == expected.map(\.bitPattern))
      }
    }
  }

  /// Returns the result of XNNPACK's arithmetic: fused on arm64 only.
  private func mixed(_ first: Float, _ second: Float, _ share: Float) -> Float {
    #if arch(arm64)
      if KernelTable.current.name != "portable" { return first.addingProduct(second - first, share) }
    #endif
    return first + (second - first) * share
  }

  @Test("keeps channels and images of a batch separate, for any number of channels", arguments: [1, 3, 4, 8, 19])
  func keepsChannelsApart(channels: Int) throws {
    let values = (0..<(2 * 2 * channels)).map { Float($0 / channels * 100 + $0 % channels) }
    let result = try bilinear(values, [2, 1, 2, channels], to: [3, 3])()
    let expected = (0..<(2 * 9 * channels)).map { index -> Float in
      let (batch, column, channel) = (index / channels / 9, index / channels % 3, index % channels)
      return Float(channel) + Float(batch) * 200 + [0, Float(200) / 3, 100][column]
    }
    #expect(zip(try result.values(as: Float.self), expected).allSatisfy { abs($0 - $1) < 1e-3 })
    #expect(result.shape == [2, 3, 3, channels])
  }

  @Test("rounds integers half away from zero, and int8 half up in fast numerics")
  func roundsIntegers() throws {
    let signed = try bilinear([Int8(-3), -2, 4, 5], [1, 1, 4, 1], to: [1, 8])
    #expect(try signed(.bitExact).values() == [Int8(-3), -3, -2, 1, 4, 5, 5, 5])
    #expect(try signed(.fast).values() == [Int8(-3), -2, -2, 1, 4, 5, 5, 5])
    #expect(
      try bilinear([Int16(-32768), 32767], [1, 1, 2, 1], to: [1, 3], alignsCorners: true)().values() == [
        Int16(-32768), -1, 32767,
      ])
    #expect(try bilinear([UInt8(0), 255], [1, 1, 2, 1], to: [1, 4])().values() == [UInt8(0), 128, 255, 255])
  }

  @Test("shrinks without reading the columns in between")
  func shrinks() throws {
    let values = (0..<100).map { Float($0) }
    #expect(try bilinear(values, [1, 1, 100, 1], to: [1, 4])().values() == [Float(0), 25, 50, 75])
    #expect(
      try bilinear(values.map { Int8($0) }, [1, 1, 100, 1], to: [1, 3], alignsCorners: true)().values() == [
        Int8(0), 50, 99,
      ])
  }

  @Test("stays inside the image at any magnification")
  func grows() throws {
    let result: [Int8] = try bilinear([Int8(7), 9], [1, 2, 1, 1], to: [500, 3], hasHalfPixelCenters: true)().values()
    #expect(result.allSatisfy { (7...9).contains($0) })
    #expect(result.first == 7 && result.last == 9)
    let single: [Int16] = try bilinear([Int16(5)], [1, 1, 1, 1], to: [1500, 1])().values()
    #expect(single.allSatisfy { $0 == 5 })
  }

  @Test(
    "selects the nearest pixel, by any of the rules",
    arguments: [
      (false, false, [1, 1, 1, 2, 2, 3, 3]), (true, false, [1, 1, 2, 2, 2, 3, 3]),
      (false, true, [1, 1, 2, 2, 2, 3, 3]),
      (true, true, [1, 2, 2, 2, 3, 3, 3]),
    ] as [(Bool, Bool, [Int32])])
  func takesNearest(alignsCorners: Bool, hasHalfPixelCenters: Bool, expected: [Int32]) throws {
    let node = SingleNode(
      .resizeNearestNeighbor, [try .input([Int32(1), 2, 3], [1, 1, 3, 1]), .constant([Int32(1), 7])], gives: [.int32],
      options: ResizeNearestNeighborOptions.with {
        [$0.alignCorners(alignsCorners), $0.halfPixelCenters(hasHalfPixelCenters)]
      })
    #expect(try node().values() == expected)
  }

  @Test("repeats whole rows")
  func repeatsRows() throws {
    let node = SingleNode(
      .resizeNearestNeighbor, [try .input([Int16(1), 2, 3, 4], [1, 2, 2, 1]), try .input([Int32(4), 2])],
      gives: [.int16])
    #expect(try node().values() == [Int16(1), 2, 1, 2, 3, 4, 3, 4])
  }

  @Test(
    "rejects invalid sizes and inputs that are not images",
    arguments: [
      ([1, 2, 2, 1], [0, 2]), ([1, 2, 2, 1], [2, -1]), ([1, 2, 2, 1], [2]), ([2, 2], [2, 2]), ([1, 0, 2, 1], [2, 2]),
    ] as [([Int], [Int32])])
  func refuses(shape: [Int], size: [Int32]) throws {
    let values = [Float](repeating: 0, count: shape.reduce(1, *))
    #expect(throws: RuntimeError.self) { try bilinear(values, shape, to: size)() }
    let nearest = SingleNode(.resizeNearestNeighbor, [try .input(values, shape), .constant(size)], gives: [.float32])
    #expect(throws: RuntimeError.self) { try nearest() }
  }

  @Test(
    "rejects sides that exceed the table limit",
    arguments: [
      [(1 << 24) + 1, 1], [1, Int32.max],
    ] as [[Int32]])
  func refusesLongSides(size: [Int32]) throws {
    let nearest = SingleNode(
      .resizeNearestNeighbor, [try .input([UInt8(1)], [1, 1, 1, 1]), .constant(size)], gives: [.uint8])
    for node in [try bilinear([UInt8(1)], [1, 1, 1, 1], to: size), nearest] {
      let error = #expect(throws: RuntimeError.self) { try node() }
      #expect(error?.code == .limitExceeded)
    }
  }

  @Test("stays inside the image if single precision rounds up its last position")
  func keepsToTheImage() {
    // A number of pixels that single precision cannot distinguish from the next.
    let input = (1 << 25) + 4
    for rule in [
      ResizeRule(alignsCorners: true, hasHalfPixelCenters: false),
      ResizeRule(alignsCorners: false, hasHalfPixelCenters: true),
    ] {
      for tap in rule.fixedPointTaps(input: input, output: 9, one: 2048) {
        #expect((0..<input).contains(tap.lower) && (0..<input).contains(tap.upper))
      }
    }
  }

  @Test("rejects rules that contradict each other")
  func refusesRules() throws {
    let node = try bilinear([Float(1)], [1, 1, 1, 1], to: [2, 2], alignsCorners: true, hasHalfPixelCenters: true)
    #expect(throws: RuntimeError.self) { try node() }
  }
}
