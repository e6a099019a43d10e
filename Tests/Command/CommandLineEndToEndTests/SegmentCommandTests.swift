import Foundation
import SwiftletGolden
import SwiftletImage
import SwiftletImageCodecs
import SwiftletTestSupport
import Testing

@Suite("segment")
struct SegmentCommandTests {
  @Test("prints the pixel count of each category as JSON")
  func json() throws {
    let folder = try TemporaryFolder()
    let model = try TinyTask.segment.write(to: folder), image = try FlagImage.write(to: folder)
    let result = try Tool.run("segment", image, "--model", model, "--json")
    #expect(result.status == 0, "\(result.error)")
    #expect(
      result.output == """
        {"image":"\(image)","width":4,"height":4,"labels":[],"mask_width":4,"mask_height":4,\
        "category_counts":{"0":8,"1":4,"2":4},"quality_scores":[1.0,1.0,1.0]}

        """)
  }

  @Test("prints the shares as text, largest first")
  func text() throws {
    let folder = try TemporaryFolder()
    let model = try TinyTask.segment.write(to: folder), image = try FlagImage.write(to: folder)
    let result = try Tool.run("segment", image, "--model", model)
    #expect(result.output == "\(image): 4×4\n  50.0% class 0\n  25.0% class 1\n  25.0% class 2\n")
  }

  @Test("writes the category mask as gray PNG and the confidence masks as .npy")
  func masks() throws {
    let folder = try TemporaryFolder()
    let model = try TinyTask.segment.write(to: folder), image = try FlagImage.write(to: folder)
    let mask = folder.path("mask.png"), masks = folder.path("deep/masks")
    let result = try Tool.run(
      "segment", image, "--model", model, "--category-mask", mask, "--confidence-masks", masks)
    #expect(result.status == 0, "\(result.error)")
    let decoded = try ImageDecoder.decode(path: mask).image
    #expect(decoded.pixelFormat == .gray8 && decoded.width == 4 && decoded.height == 4)
    #expect(decoded.packedBytes() == [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 1, 1, 2, 2])
    #expect(try FileManager.default.contentsOfDirectory(atPath: masks).sorted() == ["0.npy", "1.npy", "2.npy"])
    for channel in 0..<3 {
      let stored = try NPYFile.read(masks + "/\(channel).npy")
      #expect(stored.elementType == .float32 && stored.shape == [4, 4])
      let expected = FlagImage.pixels.map { Double($0[channel]) / 255 }
      let values = try #require(stored.floatingPointValues)
      #expect(zip(values, expected).allSatisfy { abs($0 - $1) < 1e-6 })
    }
  }

  @Test("several images have confidence masks in separate directories, and a JSON array")
  func severalImages() throws {
    let folder = try TemporaryFolder()
    let model = try TinyTask.segment.write(to: folder)
    let images = [try FlagImage.write(to: folder), try GrayImage.write(to: folder)]
    let masks = folder.path("masks")
    let result = try Tool.run(["segment"] + images + ["--model", model, "--confidence-masks", masks, "--json"])
    #expect(result.status == 0, "\(result.error)")
    let documents = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
    #expect(documents.map { $0["image"] as? String } == images)
    for name in ["flag", "gray"] {
      #expect(try FileManager.default.contentsOfDirectory(atPath: masks + "/" + name).count == 3)
    }
    let twice = try Tool.run("segment", images[0], images[0], "--model", model, "--confidence-masks", masks)
    #expect(twice.status == 1 && twice.error.contains("'flag'"), "\(twice.error)")
  }

  @Test(
    "draws tinted masks with a legend onto the stored image, for any rotation",
    arguments: ["0", "90", "180", "270"])
  func annotation(rotation: String) throws {
    let folder = try TemporaryFolder()
    let model = try TinyTask.segment.write(to: folder)
    // The image is dark, so that the overlay determines every category, and large enough that the legend doesn't reach
    // the lower right corner.
    let side = 120
    let pixels = (0..<side * side).flatMap { index -> [UInt8] in
      let (row, column) = (index / side, index % side)
      return row < side / 2 ? [40, 0, 0] : column < side / 2 ? [0, 40, 0] : [0, 0, 40]
    }
    let image = try folder.write(
      ImageEncoder.encodePNG(ImageBuffer(bytes: pixels, width: side, height: side, pixelFormat: .rgb8)), to: "flag.png")
    let annotated = folder.path("annotated.png")
    let result = try Tool.run("segment", image, "--model", model, "--rotate", rotation, "--annotate", annotated)
    #expect(result.status == 0, "\(result.error)")
    let drawn = try ImageDecoder.decode(path: annotated).image
    #expect(drawn.width == side && drawn.height == side)
    let bytes = drawn.packedBytes()
    func pixel(_ row: Int, _ column: Int) -> [UInt8] {
      Array(bytes[(row * side + column) * 3..<(row * side + column) * 3 + 3])
    }
    // Half the image and half the class color, in image coordinates.
    #expect(pixel(5, 115) == [135, 29, 35])
    #expect(pixel(115, 5) == [15, 86, 110])
    #expect(pixel(115, 115) == [23, 80, 54])
  }

  @Test("rejects one file for several masks, and formats other than PNG")
  func usage() throws {
    let folder = try TemporaryFolder()
    let model = try TinyTask.segment.write(to: folder), image = try FlagImage.write(to: folder)
    for (arguments, hint) in [
      ([image, image, "--category-mask", folder.path("m.png")], "--category-mask takes one image"),
      (["--stdin-list", "--category-mask", folder.path("m.png")], "--category-mask takes one image"),
      ([image, "--category-mask", folder.path("m.jpg")], "writes .png"),
      ([image, "--roi", "0,0,1,1"], "no option '--roi'"),
    ] {
      let result = try Tool.run(["segment", "--model", model] + arguments)
      #expect(result.status == 2 && result.error.contains(hint), "\(result.error)")
    }
  }

  @Test("reproduces the published mask of a model", .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
  func realModel() throws {
    let folder = try TemporaryFolder()
    let mask = folder.path("mask.png")
    let result = try Tool.run(
      "segment", TestData.path("images/segmentation_input_rotation0.jpg"), "--json",
      "--model", TestData.path("models/segmentation/deeplabv3_257_metadata.tflite"), "--category-mask", mask,
      "--confidence-masks", folder.path("masks"))
    let json = try result.json()
    let labels = try #require(json["labels"] as? [String])
    #expect(labels.count == 21 && labels[13] == "horse")
    // The published mask contains the categories multiplied by ten.
    let published = try ImageDecoder.decode(path: TestData.path("images/segmentation_golden_rotation0.png")).image
      .packedBytes()
    let ours = try ImageDecoder.decode(path: mask).image.packedBytes()
    #expect(ours.count == published.count)
    let equal = zip(ours, published).count { Int($0) * 10 == Int($1) }
    #expect(Double(equal) > 0.98 * Double(published.count))
    let counts = try #require(json["category_counts"] as? [String: Int])
    #expect(counts.values.reduce(0, +) == 257 * 257)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("masks")).sorted()
    #expect(names.count == 21 && names[0] == "00_background.npy" && names[11] == "11_dining_table.npy")
  }
}
