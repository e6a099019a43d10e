import Foundation
import SwiftletCommandLine
import SwiftletDrawing
import SwiftletGolden
import SwiftletImage
import SwiftletVision
import Testing

@testable import SwiftletTool

@Suite("Results of segmenters")
struct SegmentationResultTests {
  private static let gray = Canvas.Color(red: 100, green: 100, blue: 100)

  private func result(
    _ categories: [UInt8], _ width: Int, _ height: Int, labels: [String] = [], scores: [Float] = [],
    image: InputImage? = nil, marks: InteractiveRegion? = nil
  ) throws -> SegmentationResult {
    SegmentationResult(
      path: "p\n", image: try image ?? grayImage(width, height), labels: labels,
      mask: try CategoryMask(categories, width: width, height: height), qualityScores: scores, marks: marks)
  }

  @Test("counts the pixels of each category in JSON, by index")
  func json() throws {
    let result = try result(
      [255, 0, 2, 2, 255, 2], 3, 2, labels: ["background", "cat"], scores: [0.5, 0.25], image: grayImage(7, 5))
    #expect(
      result.json.text
        == #"{"image":"p\n","width":7,"height":5,"labels":["background","cat"],"mask_width":3,"mask_height":2,"#
        + #""category_counts":{"0":1,"2":3,"255":2},"quality_scores":[0.5,0.25]}"#)
  }

  @Test("lists categories by share, with ties by index, under their names")
  func text() throws {
    #expect(
      try result([0, 0, 2, 2, 1, 2, 3, 3], 4, 2, labels: ["background", "cat\n", ""]).text
        == "p : 4×2\n  37.5% class 2\n  25.0% background\n  25.0% class 3\n  12.5% cat \n")
    // A model with one class and no labels: 255 marks pixels outside the class.
    #expect(
      try result([0, 255, 255, 255], 2, 2, scores: [1]).text == "p : 2×2\n  75.0% background\n  25.0% foreground\n")
    #expect(try result([0, 254], 2, 1, scores: [1, 1]).text == "p : 2×1\n  50.0% class 0\n  50.0% class 254\n")
    #expect(try result([0], 1, 1, labels: ["BackGround"]).text == "p : 1×1\n  100.0% BackGround\n")
  }

  @Test("draws translucent classes without the background, and a legend")
  func drawn() throws {
    var categories = [UInt8](repeating: 0, count: 200 * 100)
    categories[199] = 1
    categories[99 * 200] = 2
    let image = try grayImage(200, 100)
    let result = try result(categories, 200, 100, labels: ["background", "cat", "dog"])
    let color = try result.drawn(on: image)
    func half(_ color: Canvas.Color) -> Canvas.Color {
      func mix(_ part: UInt8) -> UInt8 { UInt8((Int(part) + 101) / 2) }
      return Canvas.Color(red: mix(color.red), green: mix(color.green), blue: mix(color.blue))
    }
    #expect(color(199, 0) == half(.distinct(1)) && color(0, 99) == half(.distinct(2)) && color(198, 0) == Self.gray)
    var expected = try Canvas(image.buffer)
    try expected.tint(categories, opacity: 0.5) { $0 == 0 ? nil : .distinct(Int($0)) }
    expected.drawLegend([
      .init(name: "background", value: "100.0%"), .init(swatch: .distinct(1), name: "cat", value: "0.0%"),
      .init(swatch: .distinct(2), name: "dog", value: "0.0%"),
    ])
    var canvas = try Canvas(image.buffer)
    try result.draw(on: &canvas)
    #expect(try canvas.image().packedBytes() == expected.image().packedBytes())
  }

  @Test("marks the points of the user in black")
  func marks() throws {
    let region = InteractiveRegion.scribble([NormalizedPoint(x: 0.5, y: 0.75), NormalizedPoint(x: 0.9, y: 0.1)])
    let image = try grayImage(200, 100)
    let result = try result(
      [UInt8](repeating: 0, count: 20000), 200, 100, labels: ["background"], image: image, marks: region)
    let color = try result.drawn(on: image)
    #expect(
      color(100, 75) == .black && color(180, 10) == .black && color(102, 75) == .white && color(103, 75) == Self.gray)
  }

  @Test(
    "the mask of a rotated image is drawn at the right position",
    arguments: [(ImageOrientation.up, 4), (.right, 1), (.down, 3), (.left, 6)])
  func rotated(orientation: ImageOrientation, expected: Int) throws {
    // The upright mask has one pixel of category 1, at the right end of its top row.
    let isTurned = orientation == .right || orientation == .left
    let (width, height) = isTurned ? (100, 200) : (200, 100)
    var upright = [UInt8](repeating: 0, count: 20000)
    for row in 0..<height / 2 { for column in width / 2..<width { upright[row * width + column] = 1 } }
    let stored = InputImage(try grayImage(200, 100).buffer, orientation: orientation)
    let color = try result(upright, width, height, labels: ["background", "x"], image: stored).drawn(on: stored)
    // Quarters of the stored image: 1 upper left, 3 lower left, 4 upper right, 6 lower right. The legend is upper left.
    let places = [1: (70, 45), 3: (10, 90), 4: (190, 10), 6: (190, 90)]
    for (quarter, place) in places {
      #expect((color(place.0, place.1) != Self.gray) == (quarter == expected), "quarter \(quarter)")
    }
  }

  @Test("a mask of another size is stretched over the image")
  func stretched() throws {
    let image = try grayImage(200, 100)
    let color = try result([0, 1, 0, 0], 2, 2, labels: ["background", "x"], image: image).drawn(on: image)
    #expect(color(199, 49) != Self.gray && color(199, 50) == Self.gray && color(100, 45) != Self.gray)
    #expect(color(99, 49) == Self.gray || color(99, 49) != color(100, 45))
  }

  // MARK: Files

  private func arguments(_ words: String...) throws -> Arguments {
    try Arguments(words + ["p.png"], for: SegmentCommand.declaration)
  }

  @Test(
    "names confidence masks by number and label, with the digits of the last number",
    arguments: [(1, "0"), (10, "0"), (11, "00"), (100, "00"), (101, "000")])
  func maskNames(count: Int, first: String) throws {
    let folder = try TemporaryFolder()
    let files = try MaskFiles(arguments("--confidence-masks", folder.path("masks")), isList: false)
    #expect(files.wantsConfidenceMasks)
    let masks = try (0..<count).map { try ConfidenceMask([Float($0), 0.5], width: 2, height: 1) }
    try files.write(try result([0], 1, 1, labels: ["a b/c"]), confidenceMasks: masks)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("masks")).sorted()
    #expect(names.count == count && names[0] == first + "_a_b_c.npy")
    #expect(count == 1 || names[count - 1] == "\(count - 1).npy")
    let last = try NPYFile.read(folder.path("masks") + "/" + names[count - 1])
    #expect(last.shape == [1, 2] && last.floatingPointValues == [Double(count - 1), 0.5])
  }

  @Test("the category mask is a gray PNG of the mask's size, for one image only")
  func categoryMask() throws {
    let folder = try TemporaryFolder()
    let files = try MaskFiles(arguments("--category-mask", folder.path("m.PNG")), isList: false)
    #expect(!files.wantsConfidenceMasks)
    try files.write(try result([1, 2, 3, 4, 5, 255], 3, 2), confidenceMasks: [])
    let image = try ImageLoader(arguments()).load(folder.path("m.PNG"))
    #expect(image.width == 3 && image.height == 2)
    #expect(try image.buffer.converted(to: .gray8).packedBytes() == [1, 2, 3, 4, 5, 255])
    let list = #expect(throws: UsageError.self) {
      try MaskFiles(try arguments("--category-mask", "m.png"), isList: true)
    }
    #expect(list?.message == "--category-mask takes one image; call the program once for each")
    let other = #expect(throws: UsageError.self) {
      try MaskFiles(try arguments("--category-mask", "m.jpg"), isList: false)
    }
    #expect(other?.message == "--category-mask writes .png, got 'm.jpg'")
  }

  @Test("masks of several images have a directory each, without collisions")
  func maskFolders() throws {
    let folder = try TemporaryFolder()
    let one = MaskFolder(folder.path("one"), isList: false)
    try one.reserve("a", name: "a.png")
    try one.reserve("a", name: "b/a.png")
    #expect(try one.make(for: "a") == folder.path("one"))
    let many = MaskFolder(folder.path("many"), isList: true)
    try many.reserve("a b", name: "a b.png")
    try many.reserve("a", name: "a.png")
    let error = #expect(throws: ToolError.self) { try many.reserve("a_b", name: "x/a_b.png") }
    #expect(
      error?.description == "x/a_b.png: there was an image called 'a_b' before, whose masks these would replace")
    #expect(try many.make(for: "a b") == folder.path("many/a_b"))
    let image = NamedImage(name: "p", path: nil, stem: "c", image: try grayImage(2, 1))
    let mask = try ConfidenceMask([0.25, 1], width: 2, height: 1)
    #expect(try many.write([nil, mask], of: image) == [nil, folder.path("many/c/1.npy")])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("many/c")) == ["1.npy"])
    #expect(try NPYFile.read(folder.path("many/c/1.npy")).floatingPointValues == [0.25, 1])
  }
}
