import SwiftletDrawing
import SwiftletImage
import SwiftletVision
import Testing

@testable import SwiftletTool

/// Returns a uniform gray image as the subject of results.
func grayImage(_ width: Int, _ height: Int, gray: UInt8 = 100) throws -> InputImage {
  InputImage(
    try ImageBuffer(
      bytes: [UInt8](repeating: gray, count: width * height), width: width, height: height, pixelFormat: .gray8))
}

extension ImageResult {
  /// Returns the colors of pixels after drawing the result on a uniform image.
  func drawn(on image: InputImage) throws -> (Int, Int) -> Canvas.Color {
    var canvas = try Canvas(image.buffer)
    try draw(on: &canvas)
    let bytes = try canvas.image().packedBytes()
    return { x, y in
      let offset = (y * canvas.width + x) * 3
      return Canvas.Color(red: bytes[offset], green: bytes[offset + 1], blue: bytes[offset + 2])
    }
  }
}

@Suite("Results of landmarkers")
struct LandmarkResultTests {
  private static let gray = Canvas.Color(red: 100, green: 100, blue: 100)

  private func input(_ width: Int = 40, _ height: Int = 20) throws -> NamedImage {
    NamedImage(name: "shown\u{1B}", path: "dir/p.png", stem: "p", image: try grayImage(width, height))
  }

  /// Returns `count` landmarks at the same position.
  private func points(_ count: Int, x: Float, y: Float, visibility: Float? = nil) -> [NormalizedLandmark] {
    [NormalizedLandmark](repeating: NormalizedLandmark(x: x, y: y, z: 0, visibility: visibility), count: count)
  }

  @Test("lines of text contain no control characters of names and labels")
  func sanitizedLines() throws {
    let text = try input().text("objects", ["cat\u{1B}[2J 0.9", "dog\n0.8"])
    #expect(text.hasPrefix("shown") && text.contains(": 2 objects\n"))
    #expect(text.filter { $0 == "\n" }.count == 3)
    #expect(!text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
  }

  @Test("a landmark in JSON has visibility and presence only if the task provides them")
  func landmarkJSON() {
    #expect(NormalizedLandmark(x: 0.5, y: 0.25, z: -1).json.text == #"{"x":0.5,"y":0.25,"z":-1.0}"#)
    #expect(
      NormalizedLandmark(x: 1, y: 2, z: 3, visibility: 0.5, presence: 0.75).json.text
        == #"{"x":1.0,"y":2.0,"z":3.0,"visibility":0.5,"presence":0.75}"#)
    #expect(Landmark(x: 1, y: 2, z: 3, presence: 0.75).json.text == #"{"x":1.0,"y":2.0,"z":3.0,"presence":0.75}"#)
    #expect(Landmark(x: 1, y: 2, z: 3, visibility: 0.5).json.text == #"{"x":1.0,"y":2.0,"z":3.0,"visibility":0.5}"#)
  }

  @Test("a point maps to its pixel, rounded down, or to none if it is far outside")
  func place() throws {
    let image = try grayImage(40, 20)
    func place(_ x: Float, _ y: Float) -> Canvas.Place? { NormalizedPoint(x: x, y: y).place(in: image) }
    #expect(place(0.5, 0.25) == Canvas.Place(x: 20, y: 5))
    #expect(place(0.51, 0.99) == Canvas.Place(x: 20, y: 19))
    #expect(place(-0.01, -0.01) == Canvas.Place(x: -1, y: -1))
    #expect(place(.nan, 0) == nil && place(0, .nan) == nil)
    #expect(place(24_999, 0) == Canvas.Place(x: 999_960, y: 0) && place(25_000, 0) == nil && place(-25_000, 0) == nil)
    #expect(place(0, 49_999) == Canvas.Place(x: 0, y: 999_980) && place(0, 50_000) == nil && place(0, -50_000) == nil)
  }

  @Test("the extent of points is their bounding box")
  func extent() throws {
    let image = try grayImage(40, 20)
    let points = [
      NormalizedLandmark(x: 0.5, y: 0.25, z: 0), NormalizedLandmark(x: 0.25, y: 0.75, z: 0),
      NormalizedLandmark(x: 1, y: 0.5, z: 0), NormalizedLandmark(x: .nan, y: 0, z: 0),
    ]
    #expect(points.extent(in: image) == "at 10,5 30×10")
    #expect([NormalizedLandmark(x: .nan, y: 0, z: 0)].extent(in: image) == "nowhere")
    #expect([NormalizedLandmark]().extent(in: image) == "nowhere")
  }

  @Test("a point without visibility is visible, and one with at least 0.5")
  func isVisible() {
    func isVisible(_ value: Float?) -> Bool { NormalizedLandmark(x: 0, y: 0, z: 0, visibility: value).isVisible }
    #expect(isVisible(nil) && isVisible(0.5) && isVisible(1))
    #expect(!isVisible(0.499) && !isVisible(0))
  }

  // MARK: Faces

  @Test("a face in JSON has landmarks, blendshapes, and matrix, or null if not requested")
  func facesJSON() throws {
    let face = Face(
      landmarks: [NormalizedLandmark(x: 0.5, y: 0.25, z: 2)],
      blendshapes: FaceBlendshapes(scores: (0..<52).map { Float($0) / 64 }),
      transformationMatrix: TransformationMatrix(
        columns: ([0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15])))
    let numbers = (0..<16).map { "\($0).0" }.joined(separator: ",")
    let blendshapes = FaceBlendshape.allCases.map {
      #"{"name":"\#($0.name)","score":\#(Float($0.rawValue) / 64),"index":\#($0.rawValue)}"#
    }.joined(separator: ",")
    #expect(
      FacesResult(input: try input(), faces: [face, Face(landmarks: [])]).json.text
        == #"{"image":"dir/p.png","width":40,"height":20,"faces":[{"landmarks":[{"x":0.5,"y":0.25,"z":2.0}],"#
        + #""blendshapes":[\#(blendshapes)],"matrix":[\#(numbers)]},"#
        + #"{"landmarks":[],"blendshapes":null,"matrix":null}]}"#)
  }

  @Test("a face in text has its three highest blendshapes of at least 0.1, with ties by index")
  func facesText() throws {
    func face(_ scores: [Float]) -> Face {
      Face(
        landmarks: points(1, x: 0.5, y: 0.5),
        blendshapes: FaceBlendshapes(scores: scores + [Float](repeating: 0, count: 52 - scores.count)))
    }
    let text = FacesResult(
      input: try input(), faces: [face([0.3, 0.875, 0.5, 0.5, 0.25]), face([0.0999, 0.1]), Face(landmarks: [])]
    ).text
    #expect(
      text == "shown : 3 faces\n  face at 20,10 0×0, browDownLeft 0.88, browDownRight 0.50, browInnerUp 0.50\n"
        + "  face at 20,10 0×0, browDownLeft 0.10\n"
        + "  face nowhere\n")
  }

  @Test("the mesh of a face is white, and its contours have the face's color")
  func facesDrawn() throws {
    // All landmarks are at the same position: all lines are that pixel, and contours are drawn last.
    let faces = [Face(landmarks: points(478, x: 0.25, y: 0.5)), Face(landmarks: points(478, x: 0.75, y: 0.5))]
    let result = FacesResult(input: try input(), faces: faces)
    let color = try result.drawn(on: result.input.image)
    #expect(color(10, 10) == .distinct(0) && color(30, 10) == .distinct(1) && color(20, 10) == Self.gray)
    // Contours are one pixel thinner than other lines: 2 instead of 3 on an image of 400.
    let large = FacesResult(input: try input(400, 400), faces: [faces[0]])
    let other = try large.drawn(on: large.input.image)
    #expect(other(100, 200) == .distinct(0) && other(101, 201) == .distinct(0))
    #expect(other(99, 199) == Self.gray && other(102, 202) == Self.gray)
    let edge = try #require(FaceLandmarks.tesselation.first { $0.start != $0.end })
    var mesh = [NormalizedLandmark](repeating: NormalizedLandmark(x: .nan, y: 0, z: 0), count: 478)
    mesh[edge.start] = NormalizedLandmark(x: 0, y: 0, z: 0)
    mesh[edge.end] = NormalizedLandmark(x: 1, y: 0, z: 0)
    let isContour = FaceLandmarks.contours.contains { Set([$0.start, $0.end]) == Set([edge.start, edge.end]) }
    let line = FacesResult(input: try input(400, 400), faces: [Face(landmarks: mesh)])
    let lineColor = try line.drawn(on: line.input.image)
    #expect(lineColor(200, 0) == (isContour ? .distinct(0) : .white) && (isContour || lineColor(200, 1) == Self.gray))
  }

  // MARK: Hands

  private func hand(_ x: Float, _ y: Float, _ handedness: Handedness) -> Hand {
    Hand(
      landmarks: points(21, x: x, y: y), worldLandmarks: [Landmark(x: 1, y: 2, z: 3)],
      handedness: handedness, handednessScore: 0.9375)
  }

  @Test("a hand lists handedness, gestures if there are any, landmarks, and world landmarks")
  func handsJSON() throws {
    var hand = hand(0.5, 0.5, .left)
    hand.landmarks = [NormalizedLandmark(x: 0.5, y: 0.25, z: 0)]
    let recognized = RecognizedHand(hand: hand, gesture: Gesture(name: "Victory", score: 0.5))
    let rest = #""landmarks":[{"x":0.5,"y":0.25,"z":0.0}],"world_landmarks":[{"x":1.0,"y":2.0,"z":3.0}]}]}"#
    let start =
      #"{"image":"dir/p.png","width":40,"height":20,"hands":[{"handedness":{"name":"Left","score":0.9375,"index":1},"#
    #expect(HandsResult(input: try input(), hands: [hand]).json.text == start + rest)
    #expect(
      HandsResult(input: try input(), recognized: [recognized]).json.text
        == start + #""gestures":[{"name":"Victory","score":0.5,"index":-1}],"# + rest)
  }

  @Test("a hand in text has handedness with three digits, gestures, and position")
  func handsText() throws {
    let hands = [
      RecognizedHand(hand: hand(0.5, 0.5, .left), gesture: Gesture(name: "Fist", score: 0.5)),
      RecognizedHand(hand: hand(0, 0.25, .right), gesture: nil),
    ]
    #expect(
      HandsResult(input: try input(), recognized: hands).text
        == "shown : 2 hands\n  Left 0.938, Fist 0.500 at 20,10 0×0\n  Right 0.938 at 0,5 0×0\n")
  }

  @Test("hands are drawn in their colors, with captions above")
  func handsDrawn() throws {
    let result = HandsResult(
      input: try input(400, 200), hands: [hand(0.25, 0.75, .left), hand(0.75, 0.75, .right)])
    let color = try result.drawn(on: result.input.image)
    #expect(color(100, 150) == .distinct(0) && color(300, 150) == .distinct(1))
    // A dot of radius 2 with a white edge of 1.
    #expect(color(102, 150) == .distinct(0) && color(103, 150) == .white && color(104, 150) == Self.gray)
    // A line of text is 12 pixels high; its plate is at the topmost and leftmost landmark.
    #expect(color(100, 138) == .distinct(0) && color(300, 138) == .distinct(1))
    #expect(color(100, 137) == Self.gray && color(99, 140) == Self.gray)
    // "Left 0.94" has 9 letters of 6 columns and a margin.
    #expect(color(154, 139) == .distinct(0) && color(155, 139) == Self.gray)
  }

  @Test("if captions overlap, the first hand's caption is on top")
  func captionOrder() throws {
    let result = HandsResult(
      input: try input(400, 200), hands: [hand(0.25, 0.75, .left), hand(0.26, 0.75, .left)])
    #expect(try result.drawn(on: result.input.image)(110, 139) == .distinct(0))
  }

  // MARK: Poses

  @Test("a pose lists landmarks, world landmarks, and the file of its mask")
  func posesJSON() throws {
    let poses = [
      Pose(landmarks: [NormalizedLandmark(x: 0.5, y: 0.25, z: 0)], worldLandmarks: [Landmark(x: 1, y: 2, z: 3)]),
      Pose(landmarks: [], worldLandmarks: []),
    ]
    let start =
      #"{"image":"dir/p.png","width":40,"height":20,"poses":[{"landmarks":[{"x":0.5,"y":0.25,"z":0.0}],"#
      + #""world_landmarks":[{"x":1.0,"y":2.0,"z":3.0}],"mask":"#
    #expect(
      PosesResult(input: try input(), poses: poses).json.text
        == start + #"null},{"landmarks":[],"world_landmarks":[],"mask":null}]}"#)
    #expect(
      PosesResult(input: try input(), poses: poses, maskFiles: ["m/0.npy", nil]).json.text
        == start + #""m/0.npy"},{"landmarks":[],"world_landmarks":[],"mask":null}]}"#)
  }

  @Test("a pose in text has the number of visible landmarks")
  func posesText() throws {
    let pose = Pose(
      landmarks: points(2, x: 0, y: 0, visibility: 0.5) + points(3, x: 0.5, y: 1, visibility: 0.25), worldLandmarks: [])
    #expect(
      PosesResult(input: try input(), poses: [pose]).text
        == "shown : 1 bodies\n  body at 0,0 20×20, 2 of 5 points visible\n")
  }

  @Test("a pose is drawn without invisible landmarks, over a translucent mask")
  func posesDrawn() throws {
    var landmarks = points(33, x: 0.25, y: 0.5, visibility: 1)
    landmarks[5] = NormalizedLandmark(x: 0.75, y: 0.5, z: 0, visibility: 0.25)
    var strengths = [Float](repeating: 0, count: 800)
    strengths[0] = 1
    let mask = try ConfidenceMask(strengths, width: 40, height: 20)
    let result = PosesResult(
      input: try input(), poses: [Pose(landmarks: landmarks, worldLandmarks: [], segmentationMask: mask)])
    let color = try result.drawn(on: result.input.image)
    #expect(color(10, 10) == .distinct(0) && color(30, 10) == Self.gray && color(20, 10) == Self.gray)
    // Half of 230, 57, 70 and half of 100.
    #expect(color(0, 0) == Canvas.Color(red: 165, green: 79, blue: 85) && color(1, 0) == Self.gray)
  }

  // MARK: Holistic

  @Test("a person has pose, hands, and face, and is null in every part without a body")
  func holistic() throws {
    let left = HolisticHand(
      landmarks: [NormalizedLandmark(x: 0.25, y: 0.5, z: 0)], worldLandmarks: [Landmark(x: 1, y: 2, z: 3)])
    let right = HolisticHand(landmarks: points(1, x: 0.5, y: 0.5), worldLandmarks: [])
    let found = Person(
      pose: Pose(landmarks: points(33, x: 0, y: 0), worldLandmarks: []), leftHand: left, rightHand: right,
      face: Face(landmarks: points(478, x: 0.75, y: 0.5)))
    let all = HolisticResult(input: try input(), person: found, maskFile: "m.npy")
    #expect(
      all.text == "shown : 4 parts of a person\n  body at 0,0 0×0\n  face at 30,10 0×0\n  left hand at 10,10 0×0\n"
        + "  right hand at 20,10 0×0\n")
    let color = try all.drawn(on: all.input.image)
    #expect(color(0, 0) == .distinct(0) && color(30, 10) == .distinct(1))
    #expect(color(10, 10) == .distinct(2) && color(20, 10) == .distinct(3))
    let start = #"{"image":"dir/p.png","width":40,"height":20,"pose":"#
    let one = #"{"landmarks":[{"x":0.25,"y":0.5,"z":0.0}],"world_landmarks":[{"x":1.0,"y":2.0,"z":3.0}]}"#
    #expect(
      HolisticResult(input: try input(), person: nil).json.text
        == start + #"null,"left_hand":null,"right_hand":null,"face":null}"#)
    let other = Person(
      pose: Pose(landmarks: [], worldLandmarks: []), rightHand: left, face: Face(landmarks: []))
    #expect(
      HolisticResult(input: try input(), person: other, maskFile: "m.npy").json.text
        == start + #"{"landmarks":[],"world_landmarks":[],"mask":"m.npy"},"left_hand":null,"right_hand":\#(one),"#
        + #""face":{"landmarks":[],"blendshapes":null,"matrix":null}}"#)
  }

  @Test("a frame from a pipe has no file")
  func pipedFrame() throws {
    var input = try input()
    input.path = nil
    #expect(input.json("things", []).text == #"{"image":null,"width":40,"height":20,"things":[]}"#)
  }
}
