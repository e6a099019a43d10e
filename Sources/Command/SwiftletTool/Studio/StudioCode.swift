import SwiftletCommandLine
import SwiftletImage

/// The Swift program and the command line that do the same as a request.
struct StudioCode: Sendable {
  /// The parts of a program that differ between tasks.
  enum Template: Sendable {
    /// A vision task: its type, the call with `$` for the image, and what to do with each element of the result, or
    /// with the `whole` result.
    case vision(String, call: String, fixed: String? = nil, each: String? = nil, whole: String? = nil)
    case interactive
    case imagePair
    case tracking
    case sound
    case text(String, String, String)
    case textPair
  }

  let task: StudioTask
  let values: StudioValues
  let model: StudioModel?
  /// The point of interest of interactive segmentation.
  var point = StudioRequestInput.center

  /// The command line.
  var command: String {
    let input =
      switch task.input {
      case .image where task.id == "track": "frames"
      case .image, .imagePoint: "photo.jpg"
      case .imagePair: "--compare first.jpg second.jpg"
      case .sound: "recording.wav"
      case .text: "'A text.'"
      case .textPair: "--compare 'One text.' 'Another text.'"
      }
    let option = task.id == "track" ? "--detector" : "--model"
    let named = model?.argument.map { ["\(option) \(ShellWord.quoted($0))"] } ?? []
    let point = task.input == .imagePoint ? ["--point \(point.x),\(point.y)"] : []
    return (["swiftlet \(task.declaration.name)"] + named + values.commandWords(for: task) + point + [input])
      .joined(separator: " ")
  }

  /// The program.
  func program(isLive: Bool = false) -> String {
    switch task.code {
    case .vision(let type, let call, let fixed, let each, let whole):
      let use = each.map { "for item in result { \($0) }" } ?? whole ?? "print(result)"
      return isLive
        ? video(type, call, fixed, use)
        : lines(
          imports(["SwiftletImageCodecs", "SwiftletVision"]),
          [
            options(type, fixed), "let task = try \(type)(options: options)",
            "let image = try InputImage(contentsOfFile: \"photo.jpg\")",
            "let result = try task.\(call.replacing("$", with: "image"))", use,
          ])
    case .interactive:
      return lines(
        imports(["SwiftletImageCodecs", "SwiftletVision"]),
        [
          options("InteractiveSegmenter", "outputs: .categoryMask"),
          "let task = try InteractiveSegmenter(options: options)",
          "let image = try InputImage(contentsOfFile: \"photo.jpg\")",
          "let result = try task.segmentation(of: image, region: .point(NormalizedPoint(x: \(point.x), y: \(point.y))))",
          "if let mask = result.categoryMask { print(mask.width, mask.height, mask.pixels.count) }",
        ])
    case .imagePair:
      return lines(
        imports(["SwiftletImageCodecs", "SwiftletVision"]),
        [
          options("ImageEmbedder"), "let task = try ImageEmbedder(options: options)",
          "let first = try InputImage(contentsOfFile: \"first.jpg\")",
          "let second = try InputImage(contentsOfFile: \"second.jpg\")",
          "let similarity = try task.embedding(of: first).cosineSimilarity(to: try task.embedding(of: second))",
          "print(similarity)",
        ])
    case .tracking:
      let localizer = "localizer: ObjectLocalizerOptions(baseOptions: \(base))"
      return lines(
        imports(["SwiftletTracking", "SwiftletVision"]),
        [
          "let options = ObjectTrackerOptions(\(([localizer] + arguments).joined(separator: ", ")))",
          "let video = try ObjectTracker(options: options).video()", "",
          "/// Call this with each frame of a camera or video, and its time.",
          "func show(_ frame: InputImage, at time: Duration) throws {",
          "  for object in try video.objects(in: frame, at: time) {",
          "    print(object.trackingID as Any, object.box, object.labels)", "  }", "}",
        ])
    case .sound:
      return lines(
        imports(["SwiftletAudio"]),
        [
          options("AudioClassifier"), "let task = try AudioClassifier(options: options)",
          "let clip = try AudioClip(contentsOf: \"recording.wav\")",
          "for window in try task.classification(of: clip).windows { print(window.time, window.categories) }",
        ])
    case .text(let type, let call, let use):
      return lines(
        imports(["SwiftletText"]),
        [
          options(type), "let task = try \(type)(options: options)",
          "let result = try task.\(call.replacing("$", with: "\"A text.\""))", use,
        ])
    case .textPair:
      return lines(
        imports(["SwiftletText"]),
        [
          options("TextEmbedder"), "let task = try TextEmbedder(options: options)",
          "let (first, second) = (try task.embedding(of: \"One text.\"), try task.embedding(of: \"Another text.\"))",
          "print(try first.cosineSimilarity(to: second))",
        ])
    }
  }

  private func video(_ type: String, _ call: String, _ fixed: String?, _ use: String) -> String {
    let live = call.replacing("$", with: "frame").dropLast() + ", at: time)"
    return lines(
      imports(["SwiftletVision"]),
      [
        options(type, fixed), "let video = try \(type)(options: options).video()", "",
        "/// Call this with each frame of a camera or video, and its time.",
        "func show(_ frame: InputImage, at time: Duration) throws {",
        "  let result = try video.\(live)", "  \(use)", "}",
      ])
  }

  private func lines(_ imports: [String], _ body: [String]) -> String {
    (imports + [""] + body).joined(separator: "\n") + "\n"
  }

  private func imports(_ modules: [String]) -> [String] {
    (modules + (usesEmbeddedModel ? ["SwiftletModels"] : [])).sorted().map { "import \($0)" }
  }

  private var usesEmbeddedModel: Bool { model?.code.hasPrefix(".embedded") ?? false }

  /// The expression of the base options.
  private var base: String {
    // The library's defaults aren't those of the commands.
    let fixed = task.controls.compactMap { control -> String? in
      guard case .base(let label) = control.place, let value = values[control.name] ?? control.standard else {
        return nil
      }
      return "\(label): \(value)"
    }
    let normalization = values.normalization.map { chosen in
      "inputNormalization: InputNormalization(mean: \(numbers(chosen.mean)), standardDeviation: \(numbers(chosen.deviation)))"
    }
    let all = ["model: \(model?.code ?? ".file(\"model.task\")")"] + fixed + (normalization.map { [$0] } ?? [])
    return "BaseOptions(\(all.joined(separator: ", ")))"
  }

  private func numbers(_ list: String) -> String { "[\(list.split(separator: ",").joined(separator: ", "))]" }

  /// The statement that declares a task's options.
  private func options(_ type: String, _ fixed: String? = nil) -> String {
    let all = ["baseOptions: \(base)"] + arguments + (fixed.map { [$0] } ?? [])
    let oneLine = "let options = \(type)Options(\(all.joined(separator: ", ")))"
    guard oneLine.count > 100 else { return oneLine }
    return "let options = \(type)Options(\n" + all.map { "  " + $0 }.joined(separator: ",\n") + ")"
  }

  /// The arguments of the options' initializer, in its order.
  private var arguments: [String] {
    let plain = placed { if case .argument(let label) = $0 { label } else { nil } }
    let outputs = task.controls.compactMap { control -> String? in
      guard case .output(let member) = control.place, values[control.name] != nil else { return nil }
      return "." + member
    }
    var nested: [String] = []
    for control in task.controls {
      guard case .nested(let label, let type, let inner) = control.place, let value = values[control.name] else {
        continue
      }
      nested.append("\(label): \(type)(\(inner): \(literal(value, control)))")
    }
    return plain + (outputs.isEmpty ? [] : ["outputs: [\(outputs.joined(separator: ", "))]"]) + nested
  }

  private func placed(_ label: (StudioControl.Place) -> String?) -> [String] {
    task.controls.compactMap { control in
      guard let label = label(control.place), let value = values[control.name] else { return nil }
      return "\(label): \(literal(value, control))"
    }
  }

  private func literal(_ value: String, _ control: StudioControl) -> String {
    switch control.kind {
    case .number, .integer: value
    case .flag: "true"
    case .choice(_): "." + value
    case .text:
      "[" + value.split(separator: ",").map { Self.quoted(String($0)) }.joined(separator: ", ") + "]"
    }
  }

  /// Returns a string literal.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": result += "\\" + String(scalar)
      case _
      where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || (0x2028...0x202E).contains(scalar.value):
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
