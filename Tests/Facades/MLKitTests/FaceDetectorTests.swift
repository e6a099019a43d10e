import Foundation
import SwiftletTestSupport
import Testing

import struct SwiftletImage.InputImage

import struct SwiftletVision.FaceBlendshapes
import enum SwiftletVision.FaceBlendshape
import class SwiftletVision.FaceLandmarker
import struct SwiftletVision.FaceLandmarkerOptions
import struct SwiftletVision.FaceLandmarkerOutputs
import enum SwiftletVision.FaceLandmarks
import struct SwiftletVision.LandmarkConnection
import struct SwiftletVision.TransformationMatrix

@testable import MLKitFaceDetection

@Suite(
  "ML Kit's face detector", .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"), .timeLimit(.minutes(30)))
struct FaceDetectorTests {
  private static var model: LocalModel { LocalModel(path: TestData.path("tasks/models/face_landmarker.task")) }

  /// Returns options with everything.
  private func options(_ change: (FaceDetectorOptions) -> Void = { _ in }) -> FaceDetectorOptions {
    let options = FaceDetectorOptions()
    options.model = Self.model
    (options.landmarkMode, options.contourMode, options.classificationMode) = (.all, .all, .all)
    options.completionQueue = DispatchQueue(label: "completions")
    change(options)
    return options
  }

  private func buffer(_ name: String) throws -> ImageBuffer {
    try MediaPipeImage.decode(path: TestData.path("images/\(name)"))
  }

  private func image(_ buffer: ImageBuffer, _ orientation: ImageOrientation = .up) -> VisionImage {
    let image = VisionImage(imageBuffer: buffer)
    image.orientation = orientation
    return image
  }

  // MARK: Results

  @Test("returns the native task's landmarks, contours, and blendshapes, with every form of the call")
  func parts() async throws {
    let buffer = try buffer("face.jpg"), image = image(buffer)
    let detector = try FaceDetector.make(options: options())
    func blocking() throws -> [Face] { try detector.results(in: image) }
    let faces = try blocking()
    let native = try FaceLandmarker(.file(Self.model.path)) {
      ($0.maxFaces, $0.outputs) = (10, [.blendshapes, .transformationMatrices])
    }.faces(in: InputImage(buffer))
    #expect(faces.count == 2 && native.count == 2)
    #expect(faces[0].frame.width * faces[0].frame.height > faces[1].frame.width * faces[1].frame.height)
    for face in faces {
      let oval = try #require(face.contour(ofType: .face))
      let same = try #require(
        native.first { native in
          let x = CGFloat(native.landmarks[10].x) * CGFloat(buffer.width)
          return abs(x - oval.points[0].x) < 1e-3
        })
      for contour in face.contours {
        for (index, point) in zip(contour.type.meshPoints, contour.points) {
          #expect(abs(CGFloat(same.landmarks[index].x) * CGFloat(buffer.width) - point.x) < 1e-3)
          #expect(abs(CGFloat(same.landmarks[index].y) * CGFloat(buffer.height) - point.y) < 1e-3)
        }
      }
      let expression = FaceExpression(try #require(same.blendshapes))
      #expect(face.smilingProbability == expression.smiling && face.leftEyeOpenProbability == expression.leftEyeOpen)
      #expect(face.rightEyeOpenProbability == expression.rightEyeOpen && !face.hasTrackingID && face.trackingID == 0)
      #expect(face.hasSmilingProbability && face.hasLeftEyeOpenProbability && face.hasRightEyeOpenProbability)
    }
    #expect(try await detector.process(image).map(\.frame) == faces.map(\.frame))
    let told = await withCheckedContinuation { continuation in
      detector.process(image) { faces, error in
        continuation.resume(returning: error == nil ? faces?.map(\.frame) : nil)
      }
    }
    #expect(told == faces.map(\.frame))
  }

  @Test("returns only what the options ask for, and always the rotation")
  func requested() throws {
    let image = image(try buffer("grace_hopper.jpg"))
    let plain = FaceDetectorOptions()
    plain.model = Self.model
    let face = try #require(try FaceDetector.faceDetector(options: plain).results(in: image).first)
    #expect(face.landmarks.isEmpty && face.contours.isEmpty && face.landmark(ofType: .leftEye) == nil)
    #expect(!face.hasSmilingProbability && !face.hasLeftEyeOpenProbability && !face.hasRightEyeOpenProbability)
    #expect(face.smilingProbability == 0 && face.leftEyeOpenProbability == 0 && face.rightEyeOpenProbability == 0)
    #expect(face.hasHeadEulerAngleX && face.hasHeadEulerAngleY && face.hasHeadEulerAngleZ)
    #expect(face.contour(ofType: .face) == nil && !face.hasTrackingID)
    let burger = try FaceDetector.faceDetector(options: plain).results(in: self.image(try buffer("burger.jpg")))
    #expect(burger.isEmpty)
  }

  @Test("contours have ML Kit's numbers of points, and lie where they belong")
  func contours() throws {
    let counts: [FaceContourType: Int] = [
      .face: 36, .leftEyebrowTop: 5, .leftEyebrowBottom: 5, .rightEyebrowTop: 5, .rightEyebrowBottom: 5, .leftEye: 16,
      .rightEye: 16, .upperLipTop: 11, .upperLipBottom: 9, .lowerLipTop: 9, .lowerLipBottom: 9, .noseBridge: 2,
      .noseBottom: 3, .leftCheek: 1, .rightCheek: 1,
    ]
    let face = try #require(
      try FaceDetector.faceDetector(options: options()).results(in: image(try buffer("grace_hopper.jpg"))).first)
    #expect(
      face.contours.map(\.type) == FaceContourType.allTypes && face.landmarks.map(\.type) == FaceLandmarkType.allTypes)
    #expect(Dictionary(uniqueKeysWithValues: face.contours.map { ($0.type, $0.points.count) }) == counts)
    let frame = face.frame.insetBy(dx: -1, dy: -1)
    #expect(face.contours.flatMap(\.points).allSatisfy { frame.contains(CGPoint(x: $0.x, y: $0.y)) })
    func center(_ type: FaceContourType) throws -> CGPoint {
      let points = try #require(face.contour(ofType: type)).points
      let count = CGFloat(points.count)
      return CGPoint(x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
    }
    // From top to bottom.
    let order: [[FaceContourType]] = [
      [.leftEyebrowTop, .leftEyebrowBottom, .leftEye, .leftCheek], [.rightEyebrowTop, .rightEyebrowBottom, .rightEye],
      [.noseBridge, .noseBottom, .upperLipTop, .upperLipBottom, .lowerLipTop, .lowerLipBottom],
    ]
    for types in order {
      let heights = try types.map { try center($0).y }
      #expect(zip(heights, heights.dropFirst()).allSatisfy { $0 < $1 }, "\(types)")
    }
    // The subject's left is on the right of the image.
    for (right, left) in [
      (.rightEye, .leftEye), (.rightEyebrowTop, .leftEyebrowTop), (.rightCheek, .leftCheek),
    ] as [(FaceContourType, FaceContourType)] {
      #expect(try center(right).x < center(.noseBridge).x && center(.noseBridge).x < center(left).x)
    }
    func isAscending(_ type: FaceContourType) throws -> Bool {
      let points = try #require(face.contour(ofType: type)).points
      return zip(points, points.dropFirst()).allSatisfy { $0.x < $1.x }
    }
    for type in [
      .leftEyebrowTop, .leftEyebrowBottom, .rightEyebrowTop, .rightEyebrowBottom, .upperLipTop, .upperLipBottom,
      .noseBottom,
    ] as [FaceContourType] {
      #expect(try isAscending(type), "\(type)")
    }
    for type in [FaceContourType.lowerLipTop, .lowerLipBottom] {
      let points = try #require(face.contour(ofType: type)).points
      #expect(zip(points, points.dropFirst()).allSatisfy { $0.x > $1.x }, "\(type)")
    }
    // In an image with y down, the area of a clockwise polygon is positive.
    for type in [FaceContourType.face, .leftEye, .rightEye] {
      let points = try #require(face.contour(ofType: type)).points
      let area = zip(points, points.dropFirst() + points.prefix(1)).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }
      #expect(area > 0, "\(type)")
    }
    for (type, contour) in [(.leftEye, .leftEye), (.rightEye, .rightEye), (.leftCheek, .leftCheek)]
      as [(FaceLandmarkType, FaceContourType)]
    {
      let landmark = try #require(face.landmark(ofType: type)).position
      #expect(try abs(landmark.x - center(contour).x) < 1e-3 && abs(landmark.y - center(contour).y) < 1e-3)
    }
    let mouth = try [FaceLandmarkType.mouthRight, .mouthBottom, .mouthLeft].map {
      try #require(face.landmark(ofType: $0)).position
    }
    #expect(mouth[0].x < mouth[1].x && mouth[1].x < mouth[2].x && mouth[1].y > mouth[0].y && mouth[1].y > mouth[2].y)
  }

  // MARK: Rotation

  @Test("a rotation of the image changes the angle about Z only", arguments: [-40, -20, -10, 10, 25, 45] as [Double])
  func rotated(degrees: Double) throws {
    let buffer = try buffer("grace_hopper.jpg"), detector = FaceDetector.faceDetector(options: options())
    let upright = try #require(try detector.results(in: image(buffer)).first)
    let turned = try #require(try detector.results(in: image(try rotated(buffer, counterclockwise: degrees))).first)
    #expect(abs(turned.headEulerAngleZ - upright.headEulerAngleZ - CGFloat(degrees)) < 3, "\(turned.headEulerAngleZ)")
    #expect(abs(turned.headEulerAngleX - upright.headEulerAngleX) < 4, "\(turned.headEulerAngleX)")
    #expect(abs(turned.headEulerAngleY - upright.headEulerAngleY) < 3, "\(turned.headEulerAngleY)")
  }

  /// Returns an image of the same size with rotated content.
  private func rotated(_ buffer: ImageBuffer, counterclockwise degrees: Double) throws -> ImageBuffer {
    let (width, height, pixels) = (buffer.width, buffer.height, buffer.packedBytes())
    let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    var result = [UInt8](repeating: 128, count: pixels.count)
    for y in 0..<height {
      for x in 0..<width {
        let (dx, dy) = (Double(x) - Double(width) / 2, Double(y) - Double(height) / 2)
        let column = Int((cosine * dx - sine * dy + Double(width) / 2).rounded())
        let row = Int((sine * dx + cosine * dy + Double(height) / 2).rounded())
        guard (0..<width).contains(column), (0..<height).contains(row) else { continue }
        for channel in 0..<3 { result[3 * (y * width + x) + channel] = pixels[3 * (row * width + column) + channel] }
      }
    }
    return try ImageBuffer(bytes: result, width: width, height: height, pixelFormat: .rgb8)
  }

  @Test(
    "angles are those in the upright image, and frames those in the stored one", arguments: ImageOrientation.allCases)
  func oriented(orientation: ImageOrientation) throws {
    let buffer = try buffer("grace_hopper.jpg"), detector = FaceDetector.faceDetector(options: options())
    let upright = try #require(try detector.results(in: image(buffer)).first)
    let stored = try buffer.oriented(orientation.inverse)
    let face = try #require(try detector.results(in: image(stored, orientation)).first)
    #expect(abs(face.headEulerAngleX - upright.headEulerAngleX) < 5, "\(face.headEulerAngleX)")
    #expect(abs(face.headEulerAngleY - upright.headEulerAngleY) < 5, "\(face.headEulerAngleY)")
    #expect(abs(face.headEulerAngleZ - upright.headEulerAngleZ) < 3, "\(face.headEulerAngleZ)")
    let (map, size) = (orientation.storedToUpright, (CGFloat(stored.width), CGFloat(stored.height)))
    let (x, y) = (Float(face.frame.midX / size.0), Float(face.frame.midY / size.1))
    #expect(abs(CGFloat(map.xx * x + map.xy * y + map.x0) * CGFloat(buffer.width) - upright.frame.midX) < 4)
    #expect(abs(CGFloat(map.yx * x + map.yy * y + map.y0) * CGFloat(buffer.height) - upright.frame.midY) < 4)
  }

  @Test("a mirror image has the opposite angles about Y and Z")
  func mirrored() throws {
    let buffer = try buffer("face.jpg"), detector = FaceDetector.faceDetector(options: options())
    let faces = try detector.results(in: image(buffer))
    let mirrored = try detector.results(in: image(try buffer.oriented(.upMirrored)))
    #expect(faces.count == 2 && mirrored.count == 2)
    for (face, mirror) in zip(fromLeftToRight(faces), fromLeftToRight(mirrored).reversed()) {
      #expect(abs(face.headEulerAngleX - mirror.headEulerAngleX) < 5)
      #expect(abs(face.headEulerAngleY + mirror.headEulerAngleY) < 5)
      #expect(abs(face.headEulerAngleZ + mirror.headEulerAngleZ) < 5)
    }
    // One looks a little to the left of the image, the other to the right.
    #expect(Set(faces.map { $0.headEulerAngleY > 8 }) == [true, false])
  }

  private func fromLeftToRight(_ faces: [Face]) -> [Face] { faces.sorted { $0.frame.minX < $1.frame.minX } }

  // MARK: Options

  @Test("faces below the minimum size are not returned, and other values mean 0.1")
  func minimumSize() throws {
    let image = image(try buffer("face.jpg"))
    func widths(_ size: CGFloat) throws -> [CGFloat] {
      try FaceDetector.faceDetector(options: options { $0.minFaceSize = size }).results(in: image).map(\.frame.width)
    }
    let all = try widths(0)
    #expect(all.count == 2)
    let between = (all[0] + all[1]) / 2 / 512
    #expect(try widths(between) == [max(all[0], all[1])] && widths(1).isEmpty)
    for other in [-0.1, 1.1, .nan, .infinity, -.infinity] as [CGFloat] { #expect(try widths(other) == all) }
  }

  @Test("a fast detector with contours only returns one face, whatever its size")
  func contoursOnly() throws {
    let image = image(try buffer("face.jpg"))
    let options = options { ($0.landmarkMode, $0.classificationMode, $0.minFaceSize) = (.none, .none, 1) }
    let faces = try FaceDetector.faceDetector(options: options).results(in: image)
    #expect(faces.count == 1 && faces[0].contours.count == 15 && faces[0].hasHeadEulerAngleY)
    (options.performanceMode, options.minFaceSize) = (.accurate, 0.1)
    let accurate = try FaceDetector.faceDetector(options: options).results(in: image)
    #expect(accurate.count == 2 && accurate.allSatisfy { $0.contours.count == 15 })
    options.maxFaceCount = 1
    #expect(try FaceDetector.faceDetector(options: options).results(in: image).count == 1)
  }

  @Test("invalid options and models are errors")
  func invalidOptions() throws {
    func code(_ change: (FaceDetectorOptions) -> Void) -> MLKitError.Code? {
      mlKitError { _ = try FaceDetector.make(options: options(change)) }?.code
    }
    for value in [Int.min, -1, 0, 3, .max] {
      #expect(code { $0.classificationMode = FaceDetectorClassificationMode(rawValue: value) } == .invalidArgument)
      #expect(code { $0.performanceMode = FaceDetectorPerformanceMode(rawValue: value) } == .invalidArgument)
      #expect(code { $0.landmarkMode = FaceDetectorLandmarkMode(rawValue: value) } == .invalidArgument)
      #expect(code { $0.contourMode = FaceDetectorContourMode(rawValue: value) } == .invalidArgument)
    }
    for count in [Int.min, -1, 0, 101, .max] { #expect(code { $0.maxFaceCount = count } == .invalidArgument) }
    for count in [Int.min, -1, 0] { #expect(code { $0.threadCount = count } == .invalidArgument) }
    for confidence in [-1, 2, .nan] as [Float] {
      #expect(code { $0.minDetectionConfidence = confidence } == .invalidArgument)
      #expect(code { $0.minPresenceConfidence = confidence } == .invalidArgument)
      #expect(code { $0.minTrackingConfidence = confidence } == .invalidArgument)
    }
    #expect(code { $0.model = LocalModel(path: "/nowhere.task") } == .notFound)
    #expect(code { $0.model = LocalModel(path: TestData.path("tasks/models/pose_landmarker.task")) } != nil)
    #expect(code { _ in } == nil)
  }

  // MARK: Tracking

  @Test("faces of a stream keep their IDs, and a stream that starts over assigns new ones")
  func tracking() throws {
    let golden = try #require(GoldenTask.cases("face", sequences: true).first { $0.description == "video_two" })
    let frames = try golden.frames()
    let detector = FaceDetector.faceDetector(options: options { $0.isTrackingEnabled = true })
    func faces(_ frame: ImageBuffer, _ seconds: Double) throws -> [Face] {
      let image = image(frame)
      image.timestamp = seconds
      return try detector.results(in: image)
    }
    var known: [Int: CGRect] = [:]
    for (index, frame) in frames.enumerated() {
      let found = try faces(frame.image, Double(index) * 0.04)
      #expect(!found.isEmpty && found.allSatisfy(\.hasTrackingID))
      for face in found {
        if let last = known[face.trackingID] {
          #expect(last.intersects(face.frame), "face \(face.trackingID) jumped in frame \(index)")
        }
        known[face.trackingID] = face.frame
      }
    }
    #expect(known.count == 2)
    let again = try faces(frames[0].image, 0)
    #expect(again.count == 2 && again.allSatisfy { known[$0.trackingID] == nil && $0.hasTrackingID })
    // Frames of another size.
    #expect(try faces(try frames[0].image.oriented(.right), 0.1).allSatisfy { known[$0.trackingID] == nil })
    let other = FaceDetector.faceDetector(options: options { $0.isTrackingEnabled = true })
    let ids = try other.results(in: image(frames[0].image)).map(\.trackingID)
    #expect(Set(ids).count == 2 && Set(ids).isDisjoint(with: known.keys))
  }

  // MARK: Expression

  @Test("a smile and open eyes in photos")
  func expressions() throws {
    let detector = FaceDetector.faceDetector(options: options())
    let calm = try #require(try detector.results(in: image(try buffer("grace_hopper.jpg"))).first)
    let faces = try detector.results(in: image(try buffer("face.jpg")))
    #expect(calm.smilingProbability < 0.1 && calm.leftEyeOpenProbability > 0.9 && calm.rightEyeOpenProbability > 0.9)
    let smiles = faces.map(\.smilingProbability).sorted()
    #expect(smiles.count == 2 && smiles[0] < 0.1 && smiles[1] > 0.6)
    #expect(faces.allSatisfy { $0.leftEyeOpenProbability > 0.9 && $0.rightEyeOpenProbability > 0.9 })
  }
}

@Suite("Values of ML Kit's faces")
struct FaceValueTests {
  @Test("options have ML Kit's defaults, and modes its raw values")
  func defaults() {
    let options = FaceDetectorOptions()
    #expect(options.classificationMode == .none && options.performanceMode == .fast && options.landmarkMode == .none)
    #expect(options.contourMode == .none && options.minFaceSize == 0.1 && !options.isTrackingEnabled)
    #expect(FaceDetectorPerformanceMode.fast.rawValue == 1 && FaceDetectorPerformanceMode.accurate.rawValue == 2)
    #expect(FaceDetectorClassificationMode.none.rawValue == 1 && FaceDetectorClassificationMode.all.rawValue == 2)
    #expect(FaceDetectorLandmarkMode.none.rawValue == 1 && FaceDetectorLandmarkMode.all.rawValue == 2)
    #expect(FaceDetectorContourMode.none.rawValue == 1 && FaceDetectorContourMode.all.rawValue == 2)
    #expect(Set(FaceLandmarkType.allTypes).count == 10 && Set(FaceContourType.allTypes).count == 15)
    #expect(
      FaceContourType(rawValue: "Other").meshPoints.isEmpty && !FaceLandmarkType(rawValue: "Other").meshPoints.isEmpty)
  }

  @Test("contours use points of the published lists, each at most once per contour")
  func indices() {
    for type in FaceContourType.allTypes {
      let points = type.meshPoints
      #expect(Set(points).count == points.count && points.allSatisfy { (0..<FaceLandmarks.meshCount).contains($0) })
    }
    func points(_ types: [FaceContourType]) -> Set<Int> { Set(types.flatMap(\.meshPoints)) }
    func ends(_ connections: [LandmarkConnection]) -> Set<Int> { Set(connections.flatMap { [$0.start, $0.end] }) }
    #expect(points([.face]) == ends(FaceLandmarks.faceOval))
    #expect(points([.leftEye]) == ends(FaceLandmarks.leftEye) && points([.rightEye]) == ends(FaceLandmarks.rightEye))
    #expect(points([.leftEyebrowTop, .leftEyebrowBottom]) == ends(FaceLandmarks.leftEyebrow))
    #expect(points([.rightEyebrowTop, .rightEyebrowBottom]) == ends(FaceLandmarks.rightEyebrow))
    // The contours don't have the inner corners of the mouth.
    let lips = points([.upperLipTop, .upperLipBottom, .lowerLipTop, .lowerLipBottom])
    #expect(lips == ends(FaceLandmarks.lips).subtracting([78, 308]) && lips.count == 38)
  }

  @Test("the probabilities follow the blendshapes")
  func monotony() throws {
    func expression(_ shapes: [FaceBlendshape: Float]) throws -> FaceExpression {
      FaceExpression(try #require(FaceBlendshapes(scores: FaceBlendshape.allCases.map { shapes[$0] ?? 0 })))
    }
    let scores = (0...20).map { Float($0) / 20 }
    let smiles = try scores.map { try expression([.mouthSmileLeft: $0, .mouthSmileRight: $0]).smiling }
    let left = try scores.map { try expression([.eyeBlinkLeft: $0]) }
    let right = try scores.map { try expression([.eyeBlinkRight: $0]) }
    for index in scores.indices.dropLast() {
      #expect(smiles[index] < smiles[index + 1])
      #expect(left[index].leftEyeOpen > left[index + 1].leftEyeOpen)
      #expect(right[index].rightEyeOpen > right[index + 1].rightEyeOpen)
      #expect(left[index].rightEyeOpen == left[0].rightEyeOpen && right[index].leftEyeOpen == right[0].leftEyeOpen)
    }
    #expect(smiles[0] < 0.02 && smiles[20] > 0.99 && left[0].leftEyeOpen > 0.99 && left[20].leftEyeOpen < 0.01)
    #expect(try expression([.mouthSmileLeft: 0.7]).smiling == expression([.mouthSmileRight: 0.7]).smiling)
    #expect(try abs(expression([.mouthSmileLeft: 0.35, .mouthSmileRight: 0.35]).smiling - 0.5) < 1e-3)
  }

  @Test(
    "angles of rotation matrices",
    arguments: [(0, 0, 0), (20, 0, 0), (0, 30, 0), (0, 0, 40), (-15, 25, 170), (10, -60, -90)])
  func angles(up: Double, right: Double, counterclockwise: Double) throws {
    let rotation = try #require(
      HeadRotation(matrix(up: up, right: right, counterclockwise: counterclockwise), orientation: .up))
    #expect(abs(rotation.x - CGFloat(up)) < 1e-3 && abs(rotation.y - CGFloat(right)) < 1e-3)
    #expect(abs(rotation.z - CGFloat(counterclockwise)) < 1e-3)
  }

  @Test("a matrix without a rotation has no angles")
  func noRotation() {
    let zero = SIMD4<Float>.zero
    #expect(HeadRotation(TransformationMatrix(columns: (zero, zero, zero, zero)), orientation: .up) == nil)
    let broken = SIMD4<Float>(.nan, 0, 0, 0)
    #expect(HeadRotation(TransformationMatrix(columns: (broken, broken, broken, zero)), orientation: .up) == nil)
  }

  /// Returns the matrix of a head that first looks up, then to the right of the image, and is then rotated.
  private func matrix(up: Double, right: Double, counterclockwise: Double) -> TransformationMatrix {
    func image(of vector: (Double, Double, Double)) -> SIMD4<Float> {
      var (x, y, z) = vector
      (y, z) = turned(y, z, -up)
      (z, x) = turned(z, x, right)
      (x, y) = turned(x, y, counterclockwise)
      return SIMD4(Float(x), Float(y), Float(z), 0)
    }
    return TransformationMatrix(
      columns: (image(of: (1, 0, 0)), image(of: (0, 1, 0)), image(of: (0, 0, 1)), SIMD4(0, 0, -40, 1)))
  }

  private func turned(_ first: Double, _ second: Double, _ degrees: Double) -> (Double, Double) {
    let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    return (cosine * first - sine * second, sine * first + cosine * second)
  }
}

/// Serialized, because the default model belongs to the process.
@Suite("The default model of ML Kit's face detectors", .serialized, .timeLimit(.minutes(10)))
struct DefaultFaceModelTests {
  @Test("a missing model is an error that names a published one")
  func missingModel() throws {
    let error = mlKitError { _ = try FaceDetector.make(options: FaceDetectorOptions()) }
    #expect(error?.code == .notFound && error?.message.contains("'swiftlet models fetch face-landmarker'") == true)
    #expect(error?.message.contains("FaceDetector.defaultModel") == true)
    let image = try VisionImage(rgb: [0, 0, 0], width: 1, height: 1)
    #expect(mlKitError { _ = try FaceDetector.faceDetector().results(in: image) } == error)
  }

  @Test(
    "an app's service describes faces",
    .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
  func client() async throws {
    FaceDetector.defaultModel = LocalModel(path: TestData.path("tasks/models/face_landmarker.task"))
    defer { FaceDetector.defaultModel = nil }
    let service = FaceService(accurate: true)
    let image = VisionImage(imageBuffer: try MediaPipeImage.decode(path: TestData.path("images/face.jpg")))
    let descriptions = try service.descriptions(of: image)
    #expect(descriptions.count == 2 && descriptions.allSatisfy { $0.contains("eyes at") && $0.contains("turned by") })
    #expect(await service.isSomebodySmiling(in: image))
    #expect(try await service.outline(of: image).count == 36)
  }
}
