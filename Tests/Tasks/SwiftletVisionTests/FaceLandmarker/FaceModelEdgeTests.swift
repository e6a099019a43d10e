import Foundation
import SwiftletBase
import SwiftletImage
import SwiftletSchema
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

/// Checks the limits of the face landmarker's models.
@Suite("Edge cases of face models")
struct FaceModelEdgeTests {
  private func error<Value>(_ body: () throws -> Value) -> TaskError? { thrownError(body) }

  private func geometry() throws -> RegionGeometry {
    RegionGeometry(try InputImage(rgb: [UInt8](repeating: 0, count: 40 * 30 * 3), width: 40, height: 30))
  }

  // MARK: Landmarks

  @Test("landmarks are limited to a million image sizes", arguments: 0..<3)
  func extent(axis: Int) throws {
    func count(_ value: Float) throws -> Int {
      var bundle = SyntheticFaceBundle()
      bundle.points = bundle.points.map { _ in (0.5, 0.5, 0) }
      switch axis {
      case 0: bundle.points[477].x = value
      case 1: bundle.points[477].y = value
      default: bundle.points[477].z = value
      }
      return try bundle.landmarker().faces(in: SyntheticFaceBundle.image([(8, 8)])).count
    }
    // The region is 0.375 of the image wide.
    for sign in [Float(1), -1] {
      #expect(try count(sign * 2.66e6) == 1 && count(sign * 2.67e6) == 0)
    }
  }

  @Test("a box is aligned with the eyes if all landmarks exist")
  func box() throws {
    let geometry = try geometry()
    var landmarks = (0..<478).map { _ in NormalizedLandmark(x: 0.5, y: 0.5, z: 0) }
    (landmarks[33], landmarks[263]) = (.init(x: 0.25, y: 0.25, z: 0), .init(x: 0.75, y: 0.75, z: 0))
    let box = FaceLandmarkModel.box(of: landmarks, geometry)
    #expect(abs(box.rotation - atan2(15, 20)) < 1e-5 && abs(box.width - 0.5) < 1e-6 && abs(box.height - 0.5) < 1e-6)
    #expect(FaceLandmarkModel.box(of: Array(landmarks.dropLast()), geometry).rotation == 0)
  }

  @Test("a failing video frame leaves tracked faces and their smoothing unchanged")
  func failedFrame() throws {
    // Presence is the pixel's value, so 200 / 100 is beyond the end of a table of two.
    var graph = TestGraph()
    let image = graph.input(.float32, [1, 2, 2, 3])
    let flat = graph.tensor(.float32, [12])
    graph.add(.reshape, [image, graph.constant([Int32(12)])], [flat])
    let one = graph.tensor(.float32, [1])
    graph.add(.slice, [flat, graph.constant([Int32(0)]), graph.constant([Int32(1)])], [one])
    let (part, index) = (graph.tensor(.float32, [1]), graph.tensor(.int32, [1]))
    graph.add(.mul, [one, graph.constant([Float(0.01)])], [part], options: MulOptions.empty)
    graph.add(.cast, [part], [index])
    let presence = graph.tensor(.float32, [1])
    graph.add(.gather, [graph.constant([Float(5), 5]), index], [presence], options: GatherOptions.empty)
    let zero = graph.tensor(.float32, [1])
    graph.add(.mul, [one, graph.constant([Float(0)])], [zero], options: MulOptions.empty)
    let numbers = graph.constant(SyntheticFaceBundle.grid.flatMap { [2 * $0.x, 2 * $0.y, 2 * $0.z] })
    graph.add(.add, [numbers, zero], [graph.output(.float32, [1434])], options: AddOptions.empty)
    graph.addOutput(presence)
    let task = try SyntheticFaceBundle(landmarkModel: TestGraph.bytes([graph])).landmarker()
    let (video, undisturbed) = (task.video(), task.video())
    let found = try SyntheticFaceBundle.image([(8, 12)], brightness: 50)
    let empty = try SyntheticFaceBundle.image([], brightness: 50)
    #expect(try video.faces(in: found, at: .milliseconds(0)).count == 1)
    #expect(try video.faces(in: empty, at: .milliseconds(33)).count == 1)
    let broken = try SyntheticFaceBundle.image([], brightness: 200)
    #expect(error { try video.faces(in: broken, at: .milliseconds(66)) } != nil)
    #expect(error { try video.faces(in: broken, at: .milliseconds(66)) } != nil)
    let next = try video.faces(in: empty, at: .milliseconds(99))
    for (image, time) in [(found, 0), (empty, 33)] { _ = try undisturbed.faces(in: image, at: .milliseconds(time)) }
    #expect(try next.count == 1 && undisturbed.faces(in: empty, at: .milliseconds(99)) == next)
  }

  // MARK: Blendshapes

  @Test("blendshapes take 146 float32 landmarks and return 52 scores")
  func blendshapeShapes() throws {
    func model(_ points: Int = 146, scores: Int = 52, hasSecondInput: Bool = false, type: ElementType = .float32)
      -> BaseOptions
    {
      var graph = TestGraph()
      let input = graph.input(type, [1, points, 2])
      if hasSecondInput { _ = graph.input(.float32, [1]) }
      let flat = graph.tensor(type, [2 * points])
      graph.add(.reshape, [input, graph.constant([Int32(2 * points)])], [flat])
      graph.add(
        .slice, [flat, graph.constant([Int32(0)]), graph.constant([Int32(scores)])], [graph.output(type, [scores])])
      let bundle = RawArchive([.init("face_blendshapes.tflite", TestGraph.bytes([graph]))]).bytes
      return BaseOptions(model: .bytes(bundle))
    }
    #expect(error { try BlendshapeModel(ModelContext(model())) } == nil)
    for base in [
      model(145), model(147), model(scores: 51), model(scores: 53), model(hasSecondInput: true), model(type: .int32),
    ] {
      let error = error { try BlendshapeModel(ModelContext(base)) }
      #expect(error?.code == .invalidModel)
      #expect(error?.message.contains("takes 146 points [1 × 146 × 2] in float32 and gives 52 scores") == true)
    }
    let shapes = try BlendshapeModel(ModelContext(model()))
    let landmarks = (0..<478).map { NormalizedLandmark(x: Float($0), y: Float(-$0), z: 0) }
    let found = try shapes.blendshapes(of: landmarks, in: try geometry())
    #expect(
      found.scores.count == 52 && found.scores[2] == 40 && found.scores[3] == -30 && found[.browInnerUp] == -30)
    for count in [0, 468, 477] {
      let error = error { try shapes.blendshapes(of: Array(landmarks.prefix(count)), in: try geometry()) }
      #expect(
        error == TaskError(.invalidModel, "the model takes 292 numbers, which is inconsistent with a face's landmarks"))
    }
  }

  // MARK: Metadata

  /// Returns a reader of the bytes of a message's fields.
  private func reader(_ bytes: [UInt8]) -> ProtobufReader { ProtobufReader(ByteRegion(bytes)) }

  @Test("fields have a number and one of four kinds of values")
  func fields() throws {
    var message = reader(
      [0x08, 0xAC, 0x02] + [0x11, 1, 0, 0, 0, 0, 0, 0, 0x80] + [0x1A, 2, 7, 8] + [0x25, 4, 3, 2, 1]
        + [0xF8, 0xFF, 0xFF, 0xFF, 0x0F, 5])
    let first = try #require(try message.next())
    guard case .integer(300) = first.value, first.number == 1 else { return #expect(Bool(false), "\(first)") }
    let second = try #require(try message.next())
    guard case .eightBytes(0x8000_0000_0000_0001) = second.value, second.number == 2 else {
      return #expect(Bool(false), "\(second)")
    }
    let third = try #require(try message.next())
    guard case .bytes(var inner) = third.value, third.number == 3 else { return #expect(Bool(false), "\(third)") }
    #expect(error { try inner.nextFourBytes() } != nil)
    let fourth = try #require(try message.next())
    guard case .fourBytes(0x0102_0304) = fourth.value, fourth.number == 4 else {
      return #expect(Bool(false), "\(fourth)")
    }
    // The largest possible field number.
    let last = try #require(try message.next())
    guard case .integer(5) = last.value else { return #expect(Bool(false), "\(last)") }
    #expect(last.number == (1 << 29) - 1)
    #expect(try message.next() == nil)
    var more = reader([0x80, 0x80, 0x80, 0x80, 0x10, 5])
    #expect(error { try more.next() }?.message == "damaged at byte 5: a field has the number 536870912")
  }

  @Test("integers have up to ten bytes")
  func integers() throws {
    var most = reader([0x08] + [UInt8](repeating: 0xFF, count: 9) + [0x01])
    guard case .integer(.max)? = try most.next()?.value else { return #expect(Bool(false)) }
    var long = reader([0x08] + [UInt8](repeating: 0xFF, count: 10))
    #expect(error { try long.next() }?.message.hasSuffix("a number has more than ten bytes") == true)
  }

  @Test("numbers and weights of a canonical face are limited to a million, and a weight may be 0")
  func canonicalLimits() throws {
    func error(_ change: (inout SyntheticCanonicalFace) -> Void) -> String? {
      var face = SyntheticCanonicalFace()
      change(&face)
      return self.error { try CanonicalFace(ByteRegion(face.bytes)) }?.message
    }
    #expect(error { $0.points[467].z = 1e6 } == nil && error { $0.points[467].z = -1e6 } == nil)
    let far = error { $0.points[467].z = Float(1e6).nextUp }
    #expect(far == "number 2337 of the canonical face is 1000000.06; it must be a length in centimeters")
    #expect(error { $0.weights[0].weight = 1e6 } == nil && error { $0.weights[0].weight = 0 } == nil)
    #expect(error { $0.weights[0].weight = Float(1e6).nextUp }?.hasPrefix("the weight of point 4 is") == true)
    #expect(error { $0.weights[0].point = 467 } == nil && error { $0.weights[0].point = 468 } != nil)
    #expect(error { $0.source = 0 } == nil && error { $0.source = 3 } == nil && error { $0.source = 2 } != nil)
    let face = try CanonicalFace(ByteRegion(SyntheticCanonicalFace(weights: [(4, 0), (33, 1), (61, 2)]).bytes))
    #expect(face.weightedPoints == [33, 61])
  }

  // MARK: Matrices

  @Test("a matrix has exactly four rows and columns")
  func subscripts() {
    let matrix = TransformationMatrix(columns: ([1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]))
    for column in 0..<4 {
      for row in 0..<4 { #expect(matrix[row, column] == Float(4 * column + row + 1)) }
    }
    #expect(matrix[4, 0].isNaN && matrix[0, 4].isNaN && matrix[-1, 0].isNaN && matrix[0, -1].isNaN)
    let (columns, rows) = (matrix.columns, matrix.rows)
    #expect(columns.0 == [1, 2, 3, 4] && columns.1 == [5, 6, 7, 8])
    #expect(columns.2 == [9, 10, 11, 12] && columns.3 == [13, 14, 15, 16])
    #expect(rows.0 == [1, 5, 9, 13] && rows.1 == [2, 6, 10, 14])
    #expect(rows.2 == [3, 7, 11, 15] && rows.3 == [4, 8, 12, 16])
  }

  @Test("products of matrices and vectors")
  func products() {
    let matrix = Matrix3(x: [1, 2, 3], y: [4, 5, 6], z: [7, 8, 10])
    let vector: SIMD3<Double> = [1, 10, 100]
    #expect(matrix * vector == [741, 852, 1063])
    #expect(matrix.transposed == Matrix3(x: [1, 4, 7], y: [2, 5, 8], z: [3, 6, 10]))
    #expect((matrix * matrix).y == [66, 81, 102] && matrix * .identity == matrix && matrix.determinant == -3)
    #expect(abs(matrix.norm - 304.0.squareRoot()) < 1e-12)
    var sum = Matrix3.zero
    sum.add([1, 2, 3], [4, 5, 6], factor: 2)
    #expect(sum == Matrix3(x: [8, 16, 24], y: [10, 20, 30], z: [12, 24, 36]))
    let (one, other): (SIMD3<Double>, SIMD3<Double>) = ([1, 2, 3], [4, 5, 6])
    #expect(one.cross(other) == [-3, 6, -3] && one.dot(other) == 32 && one.length == 14.0.squareRoot())
  }
}
