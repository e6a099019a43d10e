import Foundation
import SwiftletTestSupport
import Testing

/// Checks the program's suggestions for typos.
@Suite("Suggestions of the program")
struct ProgramSuggestionTests {
  /// A directory with a model of three named colors, and an image.
  private final class Place {
    let folder: TemporaryFolder
    let model: String
    let image: String

    init() throws {
      folder = try TemporaryFolder()
      let colors = PassingModel(
        type: .uint8, scale: 1 / 255, width: 1, height: 1,
        outputs: [.init(shape: [1, 3], labels: ["red", "green", "blue"])])
      model = try folder.write(colors.bytes, to: "colors.tflite")
      image = try FlagImage.write(to: folder)
    }
  }

  @Test(
    "suggests a file in the same directory for images, models, tensors, manifests, and frames")
  func files() throws {
    let place = try Place()
    _ = try place.folder.write([], to: "input.npy")
    _ = try place.folder.write(Array("{}".utf8), to: "manifest.json")
    func typed(_ name: String) -> String { place.folder.path(name) }
    for (arguments, meant) in [
      (["classify", typed("flga.png"), "--model", place.model], "flag.png"),
      (["classify", place.image, "--model", typed("colors.tfltie")], "colors.tflite"),
      (["inspect", typed("color.tflite")], "colors.tflite"), (["bench", typed("Colors.tflite")], "colors.tflite"),
      (["run", typed("colours.tflite"), "--output-dir", typed("out")], "colors.tflite"),
      (["run", place.model, typed("inptu.npy"), "--output-dir", typed("out")], "input.npy"),
      (["verify", typed("manifets.json")], "manifest.json"),
      (["track", typed("flg.png"), "--detector", place.model], "flag.png"),
      (["track", place.image, "--detector", typed("colors.tflit")], "colors.tflite"),
      (["track", place.image, "--detector", place.model, "--classifier", typed("colrs.tflite")], "colors.tflite"),
    ] {
      let result = try Tool.run(arguments)
      #expect(result.status == 1 && result.output.isEmpty)
      let isAboutDetector = arguments[0] == "track" && result.error.contains("detection model")
      #expect(
        isAboutDetector
          || result.error.hasSuffix(": there is no such file; did you mean '\(place.folder.path(meant))'?\n"),
        "\(arguments): \(result.error)")
    }
    let far = try Tool.run("inspect", typed("weights"))
    #expect(far.status == 1 && far.error == "error: \(typed("weights")): there is no such file\n")
  }

  @Test("warns about an unknown category, with a suggestion")
  func categories() throws {
    let place = try Place()
    let arguments = ["classify", place.image, "--model", place.model, "--json"]
    let right = try Tool.run(arguments + ["--allow", "green,blue"])
    #expect(right.status == 0 && right.error.isEmpty, "\(right.error)")
    let mistyped = try Tool.run(arguments + ["--allow", "gren,blue,ultraviolet"])
    #expect(mistyped.status == 0)
    #expect(
      mistyped.error == """
        warning: --allow: the model has no category 'gren', which is ignored; did you mean 'green'?
        warning: --allow: the model has no category 'ultraviolet', which is ignored

        """)
    #expect(
      try Tool.run(arguments + ["--deny", "Red"]).error.hasSuffix(
        "--deny: the model has no category 'Red', which is ignored; did you mean 'red'?\n"))
  }

  @Test("warns about categories of a published detector", .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
  func detectorCategories() throws {
    let result = try Tool.run(
      "detect-objects", TestData.path("images/cats_and_dogs.jpg"), "--model",
      TestData.path("models/detection/coco_ssd_mobilenet_v1_1.0_quant.tflite"), "--allow",
      "cat,dgo", "--score-threshold", "0.5", "--json")
    #expect(
      result.status == 0
        && result.error
          == "warning: --allow: the model has no category 'dgo', which is ignored; did you mean 'dog'?\n"
    )
  }

  @Test(
    "suggests commands, options, values, and published models",
    arguments: [
      (["clasify", "x.png"], "did you mean 'classify'?"),
      (["classify", "x.png", "--modle", "m"], "did you mean --model?"),
      (["classify", "x.png", "--model", "m", "--numerics", "bitexact"], "did you mean bit-exact?"),
      (["classify", "x.png", "--model", "m", "--precision", "ful"], "did you mean full?"),
      (["completions", "bsah"], "did you mean bash?"),
      (["help", "insepct"], "did you mean 'inspect'?"),
      (["models", "path", "selfie-segmentr"], "did you mean 'selfie-segmenter'?"),
    ] as [([String], String)])
  func words(arguments: [String], hint: String) throws {
    let result = try Tool.run(arguments)
    #expect(result.status == 2 && result.error.hasSuffix(hint + "\n"), "\(result.error)")
  }
}
