import Foundation
import SwiftletGolden
import SwiftletImageCodecs
import SwiftletTestSupport
import Testing

@Suite("Landmark commands")
struct LandmarkCommandTests {
  enum Command: String, CaseIterable {
    case hands = "landmark-hands"
    case faces = "landmark-faces"
    case poses = "landmark-poses"

    /// The JSON key of the results.
    var things: String { "\(self)" }
    var bundle: [UInt8] {
      switch self {
      case .hands: SyntheticBundles.hands
      case .faces: SyntheticBundles.faces
      case .poses: SyntheticBundles.poses
      }
    }

    func write(to folder: TemporaryFolder) throws -> String { try folder.write(bundle, to: rawValue + ".task") }
  }

  private func lines(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private func first(_ json: [String: Any], _ things: String) throws -> [String: Any] {
    try #require((json[things] as? [[String: Any]])?.first)
  }

  @Test("return hands with both kinds of landmarks, and numbers that parse to the same values")
  func hands() throws {
    let folder = try TemporaryFolder()
    let model = try Command.hands.write(to: folder)
    let image = try GrayImage.write(to: folder, width: 64, height: 64)
    let result = try Tool.run("landmark-hands", image, "--model", model, "--json")
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    #expect(result.output.hasPrefix("{\"image\":\"\(image)\",\"width\":64,\"height\":64,\"hands\":[{\"handedness\":"))
    #expect(result.output.contains(#""handedness":{"name":"Right","score":0.75,"index":0},"landmarks":[{"x":"#))
    let hand = try first(try result.json(), "hands")
    #expect(hand.count == 3)
    let points = try #require(hand["landmarks"] as? [[String: Double]])
    #expect(points.count == 21 && points.allSatisfy { Set($0.keys) == ["x", "y", "z"] })
    let world = try #require(hand["world_landmarks"] as? [[String: Double]])
    #expect(world.count == 21 && world[20]["z"] == 62.0 / 64)
    #expect(
      try Tool.run("landmark-hands", image, "--model", model).output.hasPrefix(
        "\(image): 1 hands\n  Right 0.750 at "))
  }

  @Test("return faces with the requested parts")
  func faces() throws {
    let folder = try TemporaryFolder()
    let model = try Command.faces.write(to: folder)
    let image = try GrayImage.write(to: folder, width: 64, height: 64)
    let face = try first(try Tool.run("landmark-faces", image, "--model", model, "--json").json(), "faces")
    #expect(Set(face.keys) == ["landmarks", "blendshapes", "matrix"])
    #expect(face["blendshapes"] is NSNull && face["matrix"] is NSNull)
    let points = try #require(face["landmarks"] as? [[String: Double]])
    #expect(points.count == 478 && points.allSatisfy { Set($0.keys) == ["x", "y", "z"] })
    for option in ["--blendshapes", "--matrices"] {
      let result = try Tool.run("landmark-faces", image, "--model", model, option)
      #expect(result.status == 1 && result.error.hasPrefix("error: \(model)"), "\(result.error)")
    }
  }

  @Test(
    "return blendshapes and matrices of faces in photos",
    .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
  func facesInPhotographs() throws {
    let result = try Tool.run(
      "landmark-faces", TestData.path("images/face.jpg"), "--model", TestData.path("tasks/models/face_landmarker.task"),
      "--blendshapes", "--matrices", "--json")
    let face = try first(try result.json(), "faces")
    let expressions = try #require(face["blendshapes"] as? [[String: Any]])
    #expect(expressions.count == 52 && expressions[0]["name"] as? String == "_neutral")
    #expect(expressions.allSatisfy { Set($0.keys) == ["name", "score", "index"] })
    let matrix = try #require(face["matrix"] as? [Double])
    // Row-major: the last row is constant, and the last column is the position of the face in centimeters.
    #expect(matrix.count == 16 && Array(matrix[12...]) == [0, 0, 0, 1] && matrix[11] < -20)
  }

  @Test("return poses with visibility and presence, and write their masks")
  func poses() throws {
    let folder = try TemporaryFolder()
    let model = try Command.poses.write(to: folder)
    let image = try GrayImage.write(to: folder, width: 64, height: 48)
    let masks = folder.path("deep/masks")
    let plain = try Tool.run("landmark-poses", image, "--model", model, "--json").json()
    #expect(try first(plain, "poses")["mask"] is NSNull)
    let result = try Tool.run("landmark-poses", image, "--model", model, "--json", "--masks", masks)
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    let pose = try first(try result.json(), "poses")
    let points = try #require(pose["landmarks"] as? [[String: Double]])
    #expect(points.count == 33 && points.allSatisfy { Set($0.keys) == ["x", "y", "z", "visibility", "presence"] })
    #expect((pose["world_landmarks"] as? [[String: Double]])?.count == 33)
    #expect(pose["mask"] as? String == masks + "/0.npy")
    let mask = try NPYFile.read(masks + "/0.npy")
    #expect(mask.elementType == .float32 && mask.shape == [48, 64])
    #expect(try #require(mask.floatingPointValues).contains { $0 > 0.9 })
    let other = try GrayImage.write(to: folder, as: "other.png", width: 20, height: 20)
    let several = try Tool.run(
      "landmark-poses", image, other, "--model", model, "--jsonl", "--masks", masks, "--rotate", "90")
    #expect(
      try lines(several.output).map { try first($0, "poses")["mask"] as? String } == [
        masks + "/gray/0.npy", masks + "/other/0.npy",
      ])
    #expect(try NPYFile.read(masks + "/other/0.npy").shape == [20, 20])
  }

  @Test("print an array for several images, or a line for each", arguments: Command.allCases)
  func forms(command: Command) throws {
    let folder = try TemporaryFolder()
    let model = try command.write(to: folder)
    let images = try ["a.png", "b.png"].map { try GrayImage.write(to: folder, as: $0, width: 40, height: 30) }
    func run(_ arguments: [String], input: String = "") throws -> String {
      let result = try Tool.run([command.rawValue, "--model", model] + arguments, input: Array(input.utf8))
      #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
      return result.output
    }
    let each = try images.map { try run([$0, "--json"]) }
    #expect(try run(images + ["--jsonl"]) == each.joined())
    #expect(try run(images + ["--json"]) == "[" + each.map { $0.dropLast() }.joined(separator: ",") + "]\n")
    #expect(try run(["--stdin-list", "--jsonl"], input: images.joined(separator: "\n")) == each.joined())
  }

  @Test("track over the frames of a video, from files and pipes", arguments: Command.allCases)
  func video(command: Command) throws {
    let folder = try TemporaryFolder()
    let model = try command.write(to: folder)
    try FileManager.default.createDirectory(atPath: folder.path("frames"), withIntermediateDirectories: true)
    let frames = try (8...10).map { try GrayImage.write(to: folder, as: "frames/f\($0).png", width: 40, height: 30) }
    let arguments = [command.rawValue, "--model", model, "--video"]
    let drawn = folder.path("drawn")
    let result = try Tool.run(
      arguments + [folder.path("frames"), "--step-ms", "40", "--jsonl", "--annotate-dir", drawn])
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    let found = try lines(result.output)
    #expect(found.map { $0["frame"] as? Int } == [0, 1, 2])
    #expect(found.map { $0["timestamp_ms"] as? Double } == [0, 40, 80])
    #expect(found.map { $0["image"] as? String } == frames)
    #expect(found.allSatisfy { ($0[command.things] as? [Any])?.count == 1 })
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: drawn).sorted() == (0..<3).map { "frame_00000\($0).jpg" })
    // Frames from standard input have no file names, and 25 frames per second give the same timestamps.
    let piped = try Tool.run(
      arguments + ["-", "--fps", "25", "--json"],
      input: try frames.flatMap { try [UInt8](Data(contentsOf: URL(fileURLWithPath: $0))) })
    #expect(piped.status == 0 && piped.error.isEmpty, "\(piped.error)")
    let named = frames.reduce(result.output.split(separator: "\n").joined(separator: ",")) {
      $0.replacing("\"image\":\"\($1)\"", with: "\"image\":null")
    }
    #expect(piped.output == "[" + named + "]\n")
    let raw = try Tool.run(
      arguments + ["-", "--raw", "40x30", "--fps", "25", "--json"],
      input: [UInt8](repeating: 128, count: 3 * 40 * 30 * 3))
    #expect(raw.output == piped.output, "\(raw.error)")
    #expect(try Tool.run(arguments + ["-", "--json"]).output == "[]\n")
  }

  @Test("draw skeletons, labels, and masks into the image", arguments: Command.allCases)
  func annotation(command: Command) throws {
    let folder = try TemporaryFolder()
    let model = try command.write(to: folder)
    let image = try GrayImage.write(to: folder, width: 160, height: 120, value: 90)
    let drawn = folder.path("drawn.png")
    let extra = command == .poses ? ["--masks", folder.path("masks")] : []
    let result = try Tool.run([command.rawValue, image, "--model", model, "--annotate", drawn] + extra)
    #expect(result.status == 0, "\(result.error)")
    let bytes = try ImageDecoder.decode(path: drawn).image.packedBytes()
    let colors = Set(stride(from: 0, to: bytes.count, by: 3).map { Array(bytes[$0..<$0 + 3]) })
    // The first color of the palette, white around dots, and the original gray.
    #expect(colors.isSuperset(of: [[230, 57, 70], [255, 255, 255], [90, 90, 90]]))
    if command == .poses { #expect(colors.count > 3, "the mask tints") }
  }

  @Test(
    "report wrong usage with status 2 and one helpful line",
    arguments: [
      (["a.png"], "needs --model"), (["a.png", "--model", ""], "needs --model"), ([], "at least one image"),
      (["a.png", "--model", "m", "--fps", "3"], "add --video"),
      (["a.png", "--model", "m", "--annotate-dir", "d"], "add --video"),
      (["a.png", "--model", "m", "--video", "--annotate", "x.png"], "--annotate-dir"),
      (["--model", "m", "--video"], "none is given"),
      (["--model", "m", "--video", "--stdin-list", "x"], "--stdin-list"),
      (["a", "--model", "m", "--video", "--jobs", "2"], "--jobs is for single images"),
      (["a", "--model", "m", "--video", "--fps", "3", "--step-ms", "2"], "are mutually exclusive"),
      (["a", "--model", "m", "--video", "--json", "--jsonl"], "are mutually exclusive"),
      (["a", "--model", "m", "--min-presence-confidence", "1.5"], "--min-presence-confidence takes a number"),
      (["a", "--model", "m", "--roi", "0,0,1,1"], "no option '--roi'"),
    ] as [([String], String)])
  func usage(arguments: [String], hint: String) throws {
    for command in Command.allCases {
      let result = try Tool.run([command.rawValue] + arguments)
      #expect(result.status == 2 && result.output.isEmpty && result.error.contains(hint), "\(result.error)")
      #expect(result.error.filter { $0 == "\n" }.count == 1)
    }
  }

  @Test("report bundle and member in one line if a bundle belongs to another task", arguments: Command.allCases)
  func wrongBundles(command: Command) throws {
    let folder = try TemporaryFolder()
    let image = try GrayImage.write(to: folder)
    let other = try Command.allCases.filter { $0 != command }[0].write(to: folder)
    let model = try folder.write(SyntheticBundles.model([([1], [1, 1])], side: 4), to: "model.tflite")
    for bundle in [other, model, folder.path("none.task")] {
      let result = try Tool.run(command.rawValue, image, "--model", bundle)
      #expect(result.status == 1 && result.output.isEmpty && result.error.contains(bundle), "\(result.error)")
      #expect(result.error.hasPrefix("error: ") && result.error.filter { $0 == "\n" }.count == 1)
    }
  }

  @Test(
    "return the parts of one person, like the other commands",
    .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
  func holistic() throws {
    let folder = try TemporaryFolder()
    let model = try folder.write(try GoldenTask.modelBytes("holistic_landmarker.task"), to: "h.task")
    let (photo, drawn) = (TestData.path("images/mp_pose.jpg"), folder.path("drawn.png"))
    let result = try Tool.run(
      "landmark-holistic", photo, "--model", model, "--blendshapes", "--masks", folder.path("masks"), "--annotate",
      drawn, "--json")
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    let json = try result.json()
    #expect(Set(json.keys) == ["image", "width", "height", "pose", "left_hand", "right_hand", "face"])
    let pose = try #require(json["pose"] as? [String: Any])
    #expect((pose["landmarks"] as? [Any])?.count == 33 && pose["mask"] as? String == folder.path("masks/0.npy"))
    #expect(try NPYFile.read(folder.path("masks/0.npy")).shape.count == 2)
    for hand in ["left_hand", "right_hand"].compactMap({ json[$0] as? [String: Any] }) {
      #expect(Set(hand.keys) == ["landmarks", "world_landmarks"] && (hand["landmarks"] as? [Any])?.count == 21)
    }
    if let face = json["face"] as? [String: Any] { #expect((face["blendshapes"] as? [Any])?.count == 52) }
    #expect(FileManager.default.fileExists(atPath: drawn))
    // An image without people has no results.
    let empty = try Tool.run(
      "landmark-holistic", try GrayImage.write(to: folder, width: 64, height: 64), "--model", model, "--json")
    #expect(empty.output.hasSuffix(#""pose":null,"left_hand":null,"right_hand":null,"face":null}"# + "\n"))
  }

  @Test("work on photos", .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
  func photographs() throws {
    let folder = try TemporaryFolder()
    let photo = TestData.path("images/hand_thumb_up.jpg")
    let gestures = try folder.write(try GoldenTask.modelBytes("gesture_recognizer.task"), to: "g.task")
    let hand = try first(
      try Tool.run("recognize-gestures", photo, "--model", gestures, "--json").json(), "hands")
    #expect(((hand["gestures"] as? [[String: Any]])?.first)?["name"] as? String == "Thumb_Up")
    #expect((hand["landmarks"] as? [Any])?.count == 21)
    let denied = try first(
      try Tool.run("recognize-gestures", photo, "--model", gestures, "--canned-deny", "Thumb_Up,None", "--json").json(),
      "hands")
    #expect(((denied["gestures"] as? [[String: Any]])?.first)?["name"] as? String != "Thumb_Up")
    let none = try first(
      try Tool.run("recognize-gestures", photo, "--model", gestures, "--canned-threshold", "0.99", "--json").json(),
      "hands")
    #expect((none["gestures"] as? [Any])?.isEmpty == true, "the hand stays")
  }
}
