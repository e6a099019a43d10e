import Foundation
import SwiftletEngine
import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Parts of poses and their masks")
struct PoseMaskPartTests {
  // MARK: Heat maps

  /// Returns the position of the last of three points, refined by a map of `height` × `width` cells.
  private func refined(
    height: Int, width: Int, _ x: Float, _ y: Float, cells: [(column: Int, row: Int)], logit: Float = 0
  ) -> [Float] {
    var logits = [Float](repeating: -.infinity, count: height * width * 3)
    for cell in cells { logits[(cell.row * width + cell.column) * 3 + 2] = logit }
    var (x, y) = (x, y)
    logits.withUnsafeBufferPointer {
      HeatMap($0, size: (height: height, width: width, channels: 3)).refine(point: 2, x: &x, y: &y)
    }
    return [x, y]
  }

  @Test(
    "a window is clipped at every edge of its map, for any shape of the map",
    arguments: [(4, 16), (16, 4)])
  func edges(height: Int, width: Int) {
    let (right, bottom) = (width - 1, height - 1)
    for (column, row) in [(0, 0), (right, 0), (0, bottom), (right, bottom)] {
      let (x, y) = ((Float(column) + 0.5) / Float(width), (Float(row) + 0.5) / Float(height))
      let found = refined(height: height, width: width, x, y, cells: [(column, row)])
      #expect(found == [Float(column) / Float(width), Float(row) / Float(height)])
    }
  }

  @Test("a window extends three cells to every side")
  func reach() {
    let (x, y): (Float, Float) = (8.5 / 16, 8.5 / 16)
    for (dx, dy) in [(3, 0), (-3, 0), (0, 3), (0, -3), (3, 3), (-3, -3)] {
      let found = refined(height: 16, width: 16, x, y, cells: [(8 + dx, 8 + dy)])
      #expect(found == [Float(8 + dx) / 16, Float(8 + dy) / 16])
    }
    for (dx, dy) in [(4, 0), (-4, 0), (0, 4), (0, -4)] {
      #expect(refined(height: 16, width: 16, x, y, cells: [(8 + dx, 8 + dy)]) == [x, y])
    }
  }

  @Test("a cell counts if its confidence is at least one half")
  func confidence() {
    #expect(refined(height: 4, width: 4, 0.5, 0.5, cells: [(1, 1)], logit: 0) == [0.25, 0.25])
    #expect(refined(height: 4, width: 4, 0.5, 0.5, cells: [(1, 1)], logit: -1e-3) == [0.5, 0.5])
  }

  @Test("landmarks are in the map from above -1 cell to below its width and height")
  func inside() {
    let cells = (0..<4).map { (column: $0, row: 0) }
    for (x, isInside) in [(-0.24, true), (-0.25, false), (0.99, true), (1, false)] as [(Float, Bool)] {
      #expect((refined(height: 2, width: 4, x, 0, cells: cells) != [x, 0]) == isInside, "\(x)")
    }
    for (y, isInside) in [(-0.49, true), (-0.5, false), (0.99, true), (1, false)] as [(Float, Bool)] {
      #expect((refined(height: 2, width: 4, 0, y, cells: cells) != [0, y]) == isInside, "\(y)")
    }
  }

  // MARK: Blending

  @Test(
    "new values are blended with old ones by MediaPipe's polynomial, in rows of any length",
    arguments: [1, 7, 8, 9, 17])
  func blending(count: Int) {
    let new = (0..<count).map { (index: Int) -> Float in Float((index * 37) % 101) / 100 }
    let old = (0..<count).map { (index: Int) -> Float in Float((index * 61 + 13) % 101) / 100 }
    var blended = new
    blended.withUnsafeMutableBufferPointer { target in
      old.withUnsafeBufferPointer { source in
        guard let first = target.baseAddress, let second = source.baseAddress else { return }
        MaskBlending.blend(first, with: second, count: count)
      }
    }
    for index in 0..<count {
      // The certainty of the value: 1 at 0 and 1, 0 at one half.
      let (next, previous) = (Double(new[index]), Double(old[index]))
      let t: Double = (next - 0.5) * (next - 0.5)
      let coefficients: [Double] = [-624.717, 291.309, -57.8051, -0.748699, 5.68842, 0]
      let certainty: Double = min(coefficients.reduce(0) { $0 * t + $1 }, 1)
      let expected: Double = next + (previous - next) * (1 - certainty) * 0.7
      #expect(abs(Double(blended[index]) - expected) < 1e-5, "\(index)")
    }
  }

  @Test("zeros stay zero if there was no previous value, and previous values fade")
  func blendedZeros() {
    var numbers = [Float](repeating: 0, count: 16)
    let old = [Float](repeating: 0, count: 8) + [Float](repeating: 0.5, count: 8)
    numbers.withUnsafeMutableBufferPointer { target in
      old.withUnsafeBufferPointer { source in
        guard let first = target.baseAddress, let second = source.baseAddress else { return }
        MaskBlending.blend(first, with: second, count: 16)
      }
    }
    #expect(numbers[..<8].allSatisfy { $0 == 0 } && numbers[8...].allSatisfy { $0 > 0 && $0 < 0.05 })
  }

  // MARK: Cells

  @Test("each value is paired with the value below it, within a border of zeros")
  func cells() throws {
    var cells = RegionMaskCells(width: 3, height: 2)
    #expect(cells.stride == 5)
    let numbers: [Float] = [1, 2, 3, 4, 5, 6]
    numbers.withUnsafeBufferPointer { if let first = $0.baseAddress { cells.fill(first) } }
    let found = cells.withCells { first in (0..<15).map { [first[$0].x, first[$0].y] } }
    #expect(
      found == [
        [0, 0], [0, 1], [0, 2], [0, 3], [0, 0], [0, 0], [1, 4], [2, 5], [3, 6], [0, 0], [0, 0], [4, 0], [5, 0], [6, 0],
        [0, 0],
      ])
  }

  @Test("model masks have at most 16.8 million values, and as many as the model returns")
  func limits() throws {
    #expect(RegionMaskCells.maximumCells == 1 << 24)
    func sizes(_ maskWidth: Int, _ maskHeight: Int, _ width: Int, _ height: Int) -> RegionMaskMaker.Sizes {
      .init(maskWidth: maskWidth, maskHeight: maskHeight, width: width, height: height)
    }
    for sizes in [
      sizes(1 << 12, (1 << 12) + 1, 1, 1), sizes(1, 1, 1 << 61, 2), sizes(.max, 2, 1, 1),
      sizes(1, 1, .max, 2),
    ] {
      let error: TaskError? = thrownError {
        try RegionMaskMaker(sizes, maskCount: 1, threads: 1, results: .ofDefaultLimits)
      }
      #expect(error?.code == .limitExceeded)
      #expect(
        error?.message
          == "cannot allocate a mask of \(sizes.width) × \(sizes.height) pixels, made of \(sizes.maskWidth) × \(sizes.maskHeight) numbers; use a smaller image, or disable masks"
      )
    }
    let maker = try RegionMaskMaker(sizes(2, 2, 2, 2), maskCount: 1, threads: 1, results: .ofDefaultLimits)
    let error: TaskError? = thrownError {
      try [Float](repeating: 0, count: 3).withUnsafeBufferPointer { try maker.mask($0, projection: .identity) }
    }
    #expect(error == TaskError(.invalidModel, "the model gave a mask of 3 numbers, not 4"))
    let mask = try [Float](repeating: 0, count: 4).withUnsafeBufferPointer { try maker.mask($0, projection: .identity) }
    #expect(mask.pixels == [0.5, 0.5, 0.5, 0.5])
  }

  @Test("masks of exactly the limit are created, and one more is rejected")
  func resultLimit() throws {
    var limits = RuntimeOptions.Limits()
    limits.resultBytes = 2 * 4 * 4 * 3
    let results = ResultBudget(limits)
    let maker = try RegionMaskMaker(
      .init(maskWidth: 1, maskHeight: 1, width: 4, height: 3), maskCount: 1, threads: 1, results: results)
    func mask() throws -> ConfidenceMask {
      try [Float](repeating: 0, count: 1).withUnsafeBufferPointer { try maker.mask($0, projection: .identity) }
    }
    for _ in 0..<2 { #expect(try mask().pixels.count == 12) }
    let error: TaskError? = thrownError { try mask() }
    #expect(error?.code == .limitExceeded && error?.message.hasPrefix("masks of 4 × 3 pixels bring") == true)
    results.begin()
    #expect(try mask().pixels.count == 12)
  }

  @Test("a mask of another size isn't blended", arguments: 0..<3)
  func previous(kind: Int) throws {
    let maker = try RegionMaskMaker(
      .init(maskWidth: 2, maskHeight: 2, width: 4, height: 2), maskCount: 1, threads: 1, results: .ofDefaultLimits)
    let previous =
      switch kind {
      case 0: try ConfidenceMask([Float](repeating: 1, count: 8), width: 4, height: 2)
      case 1: try ConfidenceMask([Float](repeating: 1, count: 8), width: 2, height: 4)
      default: try ConfidenceMask([Float](repeating: 1, count: 16), width: 4, height: 4)
      }
    let mask = try [Float](repeating: 0, count: 4).withUnsafeBufferPointer {
      try maker.mask($0, projection: .identity, smoothing: previous)
    }
    #expect((mask.pixels[0] > 0.5) == (kind == 0))
  }

  // MARK: Regions

  @Test("the next region is upright over the hips and extends a quarter beyond the top")
  func regions() throws {
    let geometry = RegionGeometry(try SyntheticPoseModels.image(200, 100))
    // 40 pixels up.
    let upright = PoseModel.region(
      center: NormalizedPoint(x: 0.5, y: 0.6), top: NormalizedPoint(x: 0.5, y: 0.2), geometry)
    #expect(abs(upright.rotation) < 1e-6 && upright.center == NormalizedPoint(x: 0.5, y: 0.6))
    #expect(abs(upright.width - 0.5) < 1e-6 && abs(upright.height - 1) < 1e-6)
    // 40 pixels to the right.
    let lying = PoseModel.region(
      center: NormalizedPoint(x: 0.5, y: 0.6), top: NormalizedPoint(x: 0.7, y: 0.6), geometry)
    #expect(abs(lying.rotation - .pi / 2) < 1e-6 && abs(lying.width - 0.5) < 1e-6)
  }

  @Test("landmarks, world landmarks, visibility, and presence are read from the region")
  func body() throws {
    var models = SyntheticPoseModels()
    models.points = (0..<33).map { (index: Int) -> [Float] in
      [Float(index % 8) * 4, Float(index % 5) * 4, Float(index), 0.5, -0.5]
    }
    models.worldPoints = (0..<39).map { (index: Int) -> [Float] in [Float(index), Float(2 * index), Float(-index)] }
    models.ends = [[8, 24], [4, 2]]
    let model = try PoseModel(ModelContext(SyntheticPoseModels.base(models.bundle)), minPresence: 0.7, maskCount: 0)
    let image = try SyntheticPoseModels.image(200, 100)
    let region = NormalizedRect(left: 0.25, top: 0, right: 0.75, bottom: 1)
    let body = try #require(try model.body(in: region, of: image))
    #expect(body.landmarks.count == 33 && body.worldLandmarks.count == 33)
    for index in 0..<33 {
      let point = body.landmarks[index]
      #expect(abs(point.x - (0.25 + 0.5 * Float(index % 8) / 8)) < 1e-5, "\(index)")
      #expect(abs(point.y - Float(index % 5) / 8) < 1e-5 && abs(point.z - Float(index) / 64) < 1e-5)
      #expect(abs((point.visibility ?? 0) - 0.622_459_3) < 1e-6 && abs((point.presence ?? 0) - 0.377_540_7) < 1e-6)
      let world = body.worldLandmarks[index]
      #expect(world.x == Float(index) && world.y == Float(2 * index) && world.z == Float(-index))
      #expect(world.visibility == point.visibility && world.presence == point.presence)
    }
    #expect(abs(body.center.x - 0.375) < 1e-5 && abs(body.center.y - 0.75) < 1e-5)
    #expect(abs(body.top.x - 0.3125) < 1e-5 && abs(body.top.y - 0.0625) < 1e-5)
    let strict = try PoseModel(ModelContext(SyntheticPoseModels.base(models.bundle)), minPresence: 0.75, maskCount: 0)
    #expect(try strict.body(in: region, of: image) == nil)
  }
}
