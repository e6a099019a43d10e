import SwiftletBase
import SwiftletTasks

/// The average face in a bundle, which faces in images are compared with: its vertices in space, and their weights.
///
/// - Source: the face geometry metadata of MediaPipe, a protobuf message.
struct CanonicalFace: Sendable {
  /// The name of the bundle member.
  static let memberName = "geometry_pipeline_metadata_landmarks.binarypb"
  /// The number of values per vertex: x, y, and z in centimeters, and two texture coordinates.
  private static let numbersPerVertex = 5
  /// The maximum magnitude of a coordinate in centimeters, so that squares and their sums stay finite.
  private static let maximumExtent: Float = 1e6

  /// The indices of the vertices with a weight.
  let weightedPoints: [Int]
  /// The fit of these vertices to other points.
  let procrustes: WeightedProcrustes

  /// Creates a canonical face from a bundle.
  ///
  /// - Throws: `TaskError` if the bundle has no such member, or it is damaged or of another kind.
  init(_ source: ModelSource) throws(TaskError) {
    let bytes = try source.bytes()
    self = try TaskError.naming(source) { () throws(TaskError) in try CanonicalFace(bytes) }
  }

  /// Creates a canonical face from serialized metadata.
  ///
  /// - Throws: `TaskError` with a description of the problem.
  init(_ bytes: ByteRegion) throws(TaskError) {
    var vertices: [Float] = []
    var weights = [Double](repeating: 0, count: FaceLandmarks.meshCount)
    var message = ProtobufReader(bytes)
    while let field = try message.next() {
      switch (field.number, field.value) {
      case (1, .bytes(let mesh)): try Self.read(mesh, into: &vertices)
      case (2, .bytes(let weight)): try Self.read(weight, into: &weights)
      // The input source of this metadata is a face detector, not a face mesh.
      case (3, .integer(2)):
        throw .invalidModel("it belongs to faces of six points; a face landmarker needs one for 468 points")
      default: break
      }
    }
    let expected = FaceLandmarks.meshCount * Self.numbersPerVertex
    guard vertices.count == expected else {
      throw .invalidModel(
        "the canonical face has \(vertices.count) numbers, but \(FaceLandmarks.meshCount) points of \(Self.numbersPerVertex) numbers have \(expected)"
      )
    }
    weightedPoints = weights.indices.filter { weights[$0] > 0 }
    let points = weightedPoints.map { index -> SIMD3<Double> in
      let first = index * Self.numbersPerVertex
      return [Double(vertices[first]), Double(vertices[first + 1]), Double(vertices[first + 2])]
    }
    guard let procrustes = WeightedProcrustes(source: points, weights: weightedPoints.map { weights[$0] }) else {
      throw .invalidModel(
        "the \(points.count) weighted points of the canonical face coincide, or have no weight")
    }
    self.procrustes = procrustes
  }

  private static func read(_ mesh: ProtobufReader, into vertices: inout [Float]) throws(TaskError) {
    var mesh = mesh
    while let field = try mesh.next() {
      switch (field.number, field.value) {
      case (3, .fourBytes(let bits)): try append(bits, to: &vertices)
      case (3, .bytes(var packed)):
        while let bits = try packed.nextFourBytes() { try append(bits, to: &vertices) }
      default: break
      }
    }
  }

  private static func append(_ bits: UInt32, to vertices: inout [Float]) throws(TaskError) {
    let value = Float(bitPattern: bits)
    guard vertices.count < FaceLandmarks.meshCount * numbersPerVertex else {
      throw .invalidModel("the canonical face has more than \(FaceLandmarks.meshCount) points")
    }
    // Comparisons with NaN are false.
    guard abs(value) <= maximumExtent else {
      throw .invalidModel(
        "number \(vertices.count) of the canonical face is \(value); it must be a length in centimeters")
    }
    vertices.append(value)
  }

  private static func read(_ weight: ProtobufReader, into weights: inout [Double]) throws(TaskError) {
    var weight = weight
    var (point, value) = (UInt64(0), Float(0))
    while let field = try weight.next() {
      switch (field.number, field.value) {
      case (1, .integer(let number)): point = number
      case (2, .fourBytes(let bits)): value = Float(bitPattern: bits)
      default: break
      }
    }
    guard let index = Int(exactly: point), weights.indices.contains(index) else {
      throw .invalidModel("point \(point) has a weight, but a canonical face has \(weights.count) points")
    }
    guard value >= 0, value <= maximumExtent else {
      throw .invalidModel("the weight of point \(point) is \(value); it must be at least 0")
    }
    weights[index] = Double(value)
  }
}
