// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FindFaces",
  platforms: [.macOS(.v13)],
  dependencies: [.package(path: "../swiftlet")],
  targets: [
    .executableTarget(
      name: "FindFaces",
      dependencies: [
        .product(name: "SwiftletVision", package: "swiftlet"),
        .product(name: "SwiftletImageCodecs", package: "swiftlet"),
        .product(name: "SwiftletModels", package: "swiftlet"),
      ])
  ]
)
